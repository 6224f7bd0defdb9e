import { useState } from 'react';
import {
  DeleteContent,
  PublishContent,
  type StudioContentFragment,
  UnpublishContent,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { localInstant } from '../../../lib/format.ts';
import { useAction } from '../../../lib/use-action.ts';
import { textOf, useForm } from '../../../lib/use-form.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { discardUpload } from '../video/uploads.ts';
import { isContainer, KIND_NAMES } from './kinds.ts';

interface Properties {
  readonly content: StudioContentFragment;
  readonly onChange: (content: StudioContentFragment) => void;
}

/** Publish, schedule or unpublish, depending on the state of the content. */
export function ContentActions({ content, onChange }: Properties) {
  const [planning, setPlanning] = useState(false);
  const action = useAction();
  const { id, status, metadata } = content;
  const planned = status === 'READY' && metadata.releaseDate !== null && Date.parse(metadata.releaseDate) > Date.now();
  const publish = async (): Promise<void> => onChange((await api(PublishContent, { id })).publishContent);
  const unpublish = async (): Promise<void> => onChange((await api(UnpublishContent, { id })).unpublishContent);
  return (
    <>
      {planned && metadata.releaseDate && (
        <p className="basis-full text-sm">
          Scheduled for <time dateTime={metadata.releaseDate}>{localInstant(metadata.releaseDate)}</time>.
        </p>
      )}
      {status === 'READY' && (
        <>
          <Button look="primary" busy={action.busy === 'publish'} onClick={() => action.run('publish', publish)}>
            {planned ? 'Publish now' : 'Publish'}
          </Button>
          <Button onClick={() => setPlanning(true)} aria-label={`Schedule ${metadata.title}`}>
            Schedule…
          </Button>
        </>
      )}
      {(status === 'PUBLISHED' || planned) && (
        <Button busy={action.busy === 'unpublish'} onClick={() => action.run('unpublish', unpublish)}>
          {planned ? 'Cancel schedule' : 'Unpublish'}
        </Button>
      )}
      {action.error !== null && (
        <div className="basis-full">
          <ErrorNotice error={action.error} />
        </div>
      )}
      <Dialog open={planning} title="Schedule" onClose={() => setPlanning(false)}>
        <Schedule
          content={content}
          onClose={() => setPlanning(false)}
          onChange={(changed) => {
            onChange(changed);
            setPlanning(false);
          }}
        />
      </Dialog>
    </>
  );
}

function Schedule({ content, onChange, onClose }: Properties & { onClose: () => void }) {
  const form = useForm(async (data) => {
    const releaseDate = new Date(textOf(data, 'when')).toISOString();
    onChange((await api(PublishContent, { id: content.id, releaseDate })).publishContent);
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextField
        label="Date and time"
        name="when"
        type="datetime-local"
        required
        hint={`In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')}.`}
        error={form.fieldError('releaseDate')}
      />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" busy={form.busy}>
          Schedule
        </Button>
      </DialogButtons>
    </form>
  );
}

/** Moves a content to the trash, after confirmation. */
export function DeleteContentButton({
  content,
  onDelete,
}: {
  content: StudioContentFragment;
  onDelete: (id: string) => void;
}) {
  const [confirming, setConfirming] = useState(false);
  const { title } = content.metadata;
  const what = KIND_NAMES[content.kind].toLowerCase();
  const remove = async (): Promise<void> => {
    await api(DeleteContent, { id: content.id });
    discardUpload(content.id);
    onDelete(content.id);
  };
  return (
    <>
      <Button look="quiet" onClick={() => setConfirming(true)} aria-label={`Delete ${title}`}>
        <Icon name="trash" className="size-4" /> Delete
      </Button>
      <Confirm
        open={confirming}
        title={`Delete this ${what}?`}
        confirmLabel="Delete"
        onConfirm={remove}
        onClose={() => setConfirming(false)}
      >
        <p>
          <strong className="[overflow-wrap:anywhere]">{title}</strong>
          {isContainer(content.kind) && ' and everything in it'} will be moved to the trash, and links to it stop
          working. You can restore it for 30 days.
        </p>
      </Confirm>
    </>
  );
}
