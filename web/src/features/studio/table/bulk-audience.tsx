import {
  type BatchFragment,
  PublishContents,
  UpdateContents,
  type Visibility,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { BulkDialog, type BulkDialogProperties } from './bulk-dialog.tsx';

const CHOICES: readonly (readonly [Visibility, string, string])[] = [
  ['PRIVATE', t`Private`, t`Only members of the channel can watch`],
  ['UNLISTED', t`Unlisted`, t`Anyone with the link can watch`],
  ['PUBLIC', t`Public`, t`Everyone can find and watch them`],
];

/** Says who can watch the selected videos. Those that are not ready are published once they are. */
export function BulkAudience({ ids, onResults, onClose }: BulkDialogProperties) {
  const form = useForm(async (data) => {
    const visibility = CHOICES.find(([value]) => value === data.get('visibility'))?.[0] ?? 'PRIVATE';
    onResults(await changeAudience(ids, visibility));
    onClose();
  });
  return (
    <BulkDialog title={t`Visibility`} form={form} onClose={onClose}>
      <fieldset className="space-y-2.5">
        <legend className="sr-only">{t`Visibility`}</legend>
        {CHOICES.map(([value, label, hint]) => (
          <label key={value} className="flex items-start gap-3">
            <input
              type="radio"
              name="visibility"
              value={value}
              required
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span>
              {label}
              <span className="block text-sm text-muted">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="text-sm text-muted">{t`Videos that are not ready become visible as soon as they are.`}</p>
    </BulkDialog>
  );
}

/** One call for each group: a video that cannot be published keeps its visibility. */
async function changeAudience(ids: readonly string[], visibility: Visibility): Promise<readonly BatchFragment[]> {
  const hide = async (some: readonly string[]) =>
    (await api(UpdateContents, { items: some.map((id) => ({ id, changes: { visibility } })) })).updateContents.results;
  const publish = async (some: readonly string[]) =>
    (await api(PublishContents, { ids: some, visibility })).publishContents.results;
  return inBatches(ids, visibility === 'PRIVATE' ? hide : publish);
}
