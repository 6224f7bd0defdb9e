import type { StudioPlaylistCardFragment, Visibility } from '../../../gql/generated/operations.gen.ts';
import { textOf, type useForm } from '../../../lib/use-form.ts';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';

const VISIBILITIES: readonly (readonly [Visibility, string])[] = [
  ['PUBLIC', 'Public: listed for everyone'],
  ['UNLISTED', 'Unlisted: anyone with the link'],
  ['PRIVATE', 'Private: only people of the channel'],
];

/** The fields of a playlist, new or known. */
export function PlaylistFields({ playlist, form }: { playlist?: StudioPlaylistCardFragment; form: ReturnType<typeof useForm> }) {
  return (
    <>
      <TextField label="Title" name="title" required defaultValue={playlist?.metadata.title} fault={form.fault('title')} />
      <TextArea label="Description" name="summary" defaultValue={playlist?.metadata.summary} fault={form.fault('summary')} />
      <SelectField label="Who may see it" name="visibility" defaultValue={playlist?.visibility ?? 'PUBLIC'}>
        {VISIBILITIES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
    </>
  );
}

/** What was entered in them. */
export function readPlaylist(data: FormData) {
  const visibility = VISIBILITIES.find(([value]) => value === data.get('visibility'))?.[0];
  return { title: textOf(data, 'title'), summary: textOf(data, 'summary'), visibility };
}
