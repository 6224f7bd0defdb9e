import type { StudioPlaylistCardFragment, Visibility } from '../../../gql/generated/operations.gen.ts';
import { type EditFields, textEdit } from '../../../lib/edits/edit-fields.ts';
import { textOf, type useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';

const VISIBILITIES: readonly (readonly [Visibility, string])[] = [
  ['PUBLIC', t`Public: listed for everyone`],
  ['UNLISTED', t`Unlisted: anyone with the link`],
  ['PRIVATE', t`Private: only channel members`],
];

/** The form fields of a playlist. */
export function PlaylistFields({
  playlist,
  form,
}: {
  playlist?: StudioPlaylistCardFragment;
  form: Pick<ReturnType<typeof useForm>, 'fieldError'>;
}) {
  return (
    <>
      <TextField
        label={t`Title`}
        name="title"
        required
        defaultValue={playlist?.metadata.title}
        error={form.fieldError('title')}
      />
      <TextArea
        label={t`Description`}
        name="summary"
        defaultValue={playlist?.metadata.summary}
        error={form.fieldError('summary')}
      />
      <SelectField label={t`Visibility`} name="visibility" defaultValue={playlist?.visibility ?? 'PUBLIC'}>
        {VISIBILITIES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
    </>
  );
}

/** The same as fields that are edited. */
export const PLAYLIST_FIELDS: EditFields<StudioPlaylistCardFragment> = {
  title: textEdit(t`Title`, ({ metadata }) => metadata.title),
  summary: textEdit(t`Description`, ({ metadata }) => metadata.summary),
  visibility: textEdit(t`Visibility`, ({ visibility }) => visibility),
};

/** Reads these fields. */
export function readPlaylist(data: FormData) {
  const visibility = VISIBILITIES.find(([value]) => value === data.get('visibility'))?.[0];
  return { title: textOf(data, 'title'), summary: textOf(data, 'summary'), visibility };
}
