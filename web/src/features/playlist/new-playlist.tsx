import { CreatePlaylistWith, type SaveChoiceFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { VISIBILITY } from './playlist-card.tsx';

interface Properties {
  readonly contentId: string;
  readonly onCreated: (playlist: SaveChoiceFragment) => void;
  readonly onCancel: () => void;
}

/** Creates a playlist with the video in it. */
export function NewPlaylist({ contentId, onCreated, onCancel }: Properties) {
  const form = useForm(async (data) => {
    const title = String(data.get('title') ?? '');
    const visibility = (['PRIVATE', 'UNLISTED', 'PUBLIC'] as const).find((each) => each === data.get('visibility'));
    const { createPlaylistWithItems } = await api(CreatePlaylistWith, {
      input: { title, visibility: visibility ?? 'PRIVATE', contentIds: [contentId] },
    });
    const [result] = createPlaylistWithItems.results;
    onCreated({ ...createPlaylistWithItems.playlist, containsContent: result?.ok === true });
  });
  return (
    <form onSubmit={form.onSubmit} aria-label={t`New playlist`} className="space-y-4 rounded-xl bg-raised p-4">
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextField label={t`Title`} name="title" required autoFocus maxLength={150} autoComplete="off" />
      <SelectField label={t`Visibility`} name="visibility" defaultValue="PRIVATE">
        {(['PRIVATE', 'UNLISTED', 'PUBLIC'] as const).map((each) => (
          <option key={each} value={each}>
            {VISIBILITY[each]}
          </option>
        ))}
      </SelectField>
      <DialogButtons>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
        <Button look="primary" type="submit" busy={form.busy}>{t`Create`}</Button>
      </DialogButtons>
    </form>
  );
}
