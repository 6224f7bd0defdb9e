import { useQuery } from '@tanstack/react-query';
import {
  type BatchFragment,
  type ContentChangesInput,
  type ContentListsInput,
  Taxonomy,
  UpdateContents,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { byName } from '../../../lib/by-name.ts';
import { textOf, useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { operationQuery } from '../../../lib/query.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { readKeywords } from '../content/keywords.ts';
import { languageChoices } from '../content/languages.ts';
import { BulkDialog, type BulkDialogProperties } from './bulk-dialog.tsx';

type Update = Pick<ContentChangesInput, 'changes' | 'add' | 'remove'>;

async function updateAll(ids: readonly string[], update: Update): Promise<readonly BatchFragment[]> {
  const send = async (some: readonly string[]) =>
    (await api(UpdateContents, { items: some.map((id) => ({ id, ...update })) })).updateContents.results;
  return inBatches(ids, send);
}

/** How the chosen entries change the lists of the videos. */
function ListMode({ name }: { name: string }) {
  return (
    <SelectField label={t`What to do`} name={name} defaultValue="add">
      <option value="add">{t`Add to those of the videos`}</option>
      <option value="remove">{t`Remove from those of the videos`}</option>
      <option value="replace">{t`Replace those of the videos`}</option>
    </SelectField>
  );
}

function listUpdate(mode: string, lists: ContentListsInput): Update {
  if (mode === 'replace') return { changes: lists };
  return mode === 'remove' ? { remove: lists } : { add: lists };
}

/** Adds categories to the selected videos, removes or replaces them. */
export function BulkCategories({ ids, onResults, onClose }: BulkDialogProperties) {
  const taxonomy = useQuery(operationQuery(Taxonomy));
  const form = useForm(async (data) => {
    onResults(
      await updateAll(ids, listUpdate(textOf(data, 'mode'), { categories: data.getAll('categories').map(String) })),
    );
    onClose();
  });
  return (
    <BulkDialog title={t`Categories`} form={form} onClose={onClose}>
      <ListMode name="mode" />
      <p className="text-sm text-muted">{t`A video has up to 3 categories.`}</p>
      <fieldset className="grid max-h-72 gap-2 overflow-y-auto sm:grid-cols-2">
        <legend className="sr-only">{t`Categories`}</legend>
        {byName(taxonomy.data?.categories.edges ?? []).map((category) => (
          <label key={category.id} className="flex items-center gap-2.5">
            <input type="checkbox" name="categories" value={category.id} className="size-4 accent-accent" />
            {category.name}
          </label>
        ))}
      </fieldset>
    </BulkDialog>
  );
}

const KEEP = 'keep';

/** Changes details of the selected videos; a field that is not touched keeps what each has. */
export function BulkDetails({ ids, onResults, onClose }: BulkDialogProperties) {
  const taxonomy = useQuery(operationQuery(Taxonomy));
  const form = useForm(async (data) => {
    onResults(await updateAll(ids, readUpdate(data)));
    onClose();
  });
  return (
    <BulkDialog title={t`Details`} form={form} onClose={onClose}>
      <SelectField label={t`Language`} name="language" defaultValue={KEEP}>
        <option value={KEEP}>{t`Keep as it is`}</option>
        <option value="">{t`Not specified`}</option>
        {languageChoices(null).map(([tag, name]) => (
          <option key={tag} value={tag}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label={t`Rating`} name="rating" defaultValue={KEEP}>
        <option value={KEEP}>{t`Keep as it is`}</option>
        <option value="">{t`Not rated`}</option>
        {taxonomy.data?.ratings.edges.map(({ node }) => (
          <option key={node.id} value={node.id} title={node.description}>
            {node.code} ({node.system.replace('_', ' ')})
          </option>
        ))}
      </SelectField>
      <TextField
        label={t`Keywords`}
        name="keywords"
        hint={t`Separated by commas. Empty: kept as they are.`}
        error={form.fieldError('keywords')}
      />
      <ListMode name="keywordsMode" />
    </BulkDialog>
  );
}

function readUpdate(data: FormData): Update {
  const [language, rating, keywords] = [textOf(data, 'language'), textOf(data, 'rating'), textOf(data, 'keywords')];
  const lists: Update = keywords ? listUpdate(textOf(data, 'keywordsMode'), { keywords: readKeywords(keywords) }) : {};
  const changes = {
    ...lists.changes,
    ...(language !== KEEP && { language: language || null }),
    ...(rating !== KEEP && { rating: rating || null }),
  };
  return { ...lists, changes };
}
