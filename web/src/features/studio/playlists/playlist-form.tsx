import type { StudioPlaylistCardFragment, Visibility } from '../../../gql/generated/operations.gen.ts';
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
  form: ReturnType<typeof useForm>;
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

/** Reads these fields. */
export function readPlaylist(data: FormData) {
  const visibility = VISIBILITIES.find(([value]) => value === data.get('visibility'))?.[0];
  return { title: textOf(data, 'title'), summary: textOf(data, 'summary'), visibility };
}
