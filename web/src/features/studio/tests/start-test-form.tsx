import { type FormEvent, useState } from 'react';
import { CreateContentUpload, StartTest } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField, SelectField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { uploadImage } from '../video/upload-image.ts';
import { type TestImage, type VariantDraft, VariantFields } from './variant-fields.tsx';

interface Properties {
  readonly content: { readonly id: string; readonly title: string; readonly imageId: string | null };
  readonly images: readonly TestImage[];
  /** Reads the images again, after an upload. */
  readonly reloadImages: () => Promise<readonly TestImage[]>;
  readonly onStarted: () => Promise<unknown>;
}

const EMPTY: VariantDraft = { title: '', imageId: null };
const LABELS = ['B', 'C'] as const;

/** Starts a test of one or two other versions of a content. */
export function StartTestForm({ content, images, reloadImages, onStarted }: Properties) {
  const [drafts, setDrafts] = useState<readonly VariantDraft[]>([]);
  const [applyWinner, setApplyWinner] = useState(true);
  const [maxDays, setMaxDays] = useState(14);
  const action = useAction();
  const change = (index: number, draft: VariantDraft): void => setDrafts(drafts.with(index, draft));
  const upload = (index: number, file: File): void =>
    action.run(`upload-${index}`, async () => {
      const input = { filename: file.name, size: file.size, image: { hint: 'OTHER', alt: null } } as const;
      await uploadImage((await api(CreateContentUpload, { id: content.id, input })).createContentAsset, file);
      const known = new Set(images.map(({ id }) => id));
      const added = (await reloadImages()).find(({ id }) => !known.has(id));
      setDrafts((now) => now.map((draft, at) => (at === index && added ? { ...draft, imageId: added.id } : draft)));
    });
  const start = (event: FormEvent): void => {
    event.preventDefault();
    action.run('start', async () => {
      const variants = drafts.map(({ title, imageId }) => ({ title: title.trim() === '' ? null : title, imageId }));
      await api(StartTest, { id: content.id, input: { variants, applyWinner, maxDays, minDays: null } });
      setDrafts([]);
      await onStarted();
    });
  };
  if (drafts.length === 0) return <Button onClick={() => setDrafts([EMPTY])}>{t`New test`}</Button>;
  return (
    <form onSubmit={start} className="space-y-5">
      <p className="text-sm text-muted">{t`A is the video as it is: “${content.title}”.`}</p>
      {drafts.map((draft, index) => (
        <VariantFields
          // The variants have no other identity than their place.
          key={LABELS[index]}
          label={LABELS[index] ?? ''}
          draft={draft}
          original={content}
          images={images}
          busy={action.busy === `upload-${index}`}
          onChange={(changed) => change(index, changed)}
          onFile={(file) => upload(index, file)}
        />
      ))}
      {drafts.length === 1 && (
        <Button
          look="quiet"
          className="-ms-2.5"
          onClick={() => setDrafts([...drafts, EMPTY])}
        >{t`Add a third version`}</Button>
      )}
      <SelectField
        label={t`Ends after`}
        value={`${maxDays}`}
        hint={t`Earlier if a version is clearly clicked more often.`}
        onChange={(event) => setMaxDays(Number(event.target.value))}
      >
        {[7, 14, 30].map((days) => (
          <option key={days} value={days}>
            {plural(days, { one: '# day', other: '# days' })}
          </option>
        ))}
      </SelectField>
      <CheckField
        label={t`Use the winner`}
        hint={t`The video gets its title and thumbnail as soon as there is a winner.`}
        checked={applyWinner}
        onChange={(event) => setApplyWinner(event.target.checked)}
      />
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={action.busy === 'start'}>{t`Start the test`}</Button>
        <Button look="quiet" onClick={() => setDrafts([])}>{t`Cancel`}</Button>
      </div>
    </form>
  );
}
