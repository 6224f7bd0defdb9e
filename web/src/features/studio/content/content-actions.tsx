import { useState } from 'react';
import { DeleteContent, type StudioContentFragment, UnpublishContent } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { localInstant } from '../../../lib/format.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { dropUploadsOf } from '../../uploads/upload-commands.ts';
import { isScheduled } from './audience.ts';
import { AudienceDialog } from './audience-dialog.tsx';
import { isContainer, KIND_NAMES } from './kinds.ts';

interface Properties {
  readonly content: StudioContentFragment;
  readonly onChange: (content: StudioContentFragment) => void;
}

/** Publish or unpublish, depending on the state of the content; who can watch is always asked. */
export function ContentActions({ content, onChange }: Properties) {
  const [choosing, setChoosing] = useState(false);
  const action = useAction();
  const { id, status, metadata, publishWhenReady } = content;
  const scheduled = isScheduled(content, Date.now());
  const unpublish = async (): Promise<void> => onChange((await api(UnpublishContent, { id })).unpublishContent);
  return (
    <>
      {scheduled && metadata.releaseDate && (
        <p className="basis-full text-sm">
          Scheduled for <time dateTime={metadata.releaseDate}>{localInstant(metadata.releaseDate)}</time>.
        </p>
      )}
      {(status === 'READY' || status === 'DRAFT' || status === 'PROCESSING') && (
        <Button look={status === 'READY' ? 'primary' : 'plain'} onClick={() => setChoosing(true)}>
          {scheduled || publishWhenReady ? 'Visibility' : 'Publish'}
        </Button>
      )}
      {(status === 'PUBLISHED' || scheduled || publishWhenReady) && (
        <Button busy={action.busy === 'unpublish'} onClick={() => action.run('unpublish', unpublish)}>
          {status === 'PUBLISHED' ? 'Unpublish' : 'Cancel publication'}
        </Button>
      )}
      {action.error !== null && (
        <div className="basis-full">
          <ErrorNotice error={action.error} />
        </div>
      )}
      <AudienceDialog content={content} open={choosing} onChange={onChange} onClose={() => setChoosing(false)} />
    </>
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
    dropUploadsOf(content.id);
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
