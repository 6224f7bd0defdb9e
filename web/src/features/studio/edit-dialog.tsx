import type { FormEvent } from 'react';
import { type StudioContentFragment, UpdateItem, type Visibility } from '../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../lib/api.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

interface Properties {
  readonly content: StudioContentFragment;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onChange: (content: StudioContentFragment) => void;
}

const VISIBILITIES: readonly (readonly [Visibility, string])[] = [
  ['PUBLIC', 'Public: listed, anyone can watch'],
  ['UNLISTED', 'Unlisted: anyone with the link can watch'],
  ['PRIVATE', 'Private: only you can watch'],
];

/** Title, description and who may watch. */
export function EditDialog({ content, open, onClose, onChange }: Properties) {
  const action = useAction();
  const fault = (field: string): string | null =>
    action.error instanceof ApiError && action.error.field?.endsWith(field) ? action.error.message : null;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const visibility = VISIBILITIES.find(([value]) => value === form.get('visibility'))?.[0] ?? content.metadata.visibility;
    const input = { title: String(form.get('title')).trim(), summary: String(form.get('summary')).trim(), visibility };
    action.run('save', async () => {
      onChange((await api(UpdateItem, { id: content.id, input })).updateContent);
      onClose();
    });
  };
  return (
    <Dialog open={open} title="Edit video" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        {action.error !== null && <ErrorNotice error={action.error} />}
        <TextField label="Title" name="title" required defaultValue={content.metadata.title} fault={fault('title')} />
        <TextArea label="Description" name="summary" defaultValue={content.metadata.summary} fault={fault('summary')} />
        <fieldset className="space-y-2">
          <legend className="mb-1.5 text-sm font-semibold">Who may watch</legend>
          {VISIBILITIES.map(([value, label]) => (
            <label key={value} className="flex items-start gap-3">
              <input
                type="radio"
                name="visibility"
                value={value}
                defaultChecked={value === content.metadata.visibility}
                className="mt-1 size-4 shrink-0 accent-accent"
              />
              {label}
            </label>
          ))}
        </fieldset>
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={action.busy !== null}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
