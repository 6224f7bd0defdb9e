import { useState } from 'react';
import { DeleteContent, type StudioContentFragment, UnpublishContent } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { Trans, t } from '../../../lib/i18n.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { dropUploadsOf } from '../../uploads/upload-commands.ts';
import { isScheduled } from './audience.ts';
import { isContainer, KIND_NAMES } from './kinds.ts';

/** Unpublishes a content, or cancels its scheduled or requested publication; nothing where there is none. */
export function UnpublishButton({ content, onChange }: { content: StudioContentFragment; onChange: () => void }) {
  const action = useAction();
  const { id, status, publishWhenReady } = content;
  if (status !== 'PUBLISHED' && !publishWhenReady && !isScheduled(content, Date.now())) return null;
  const unpublish = async (): Promise<void> => {
    await api(UnpublishContent, { id });
    onChange();
  };
  return (
    <>
      <Button busy={action.busy !== null} onClick={() => action.run('unpublish', unpublish)}>
        {status === 'PUBLISHED' ? t`Unpublish` : t`Cancel publication`}
      </Button>
      {action.error !== null && (
        <div className="basis-full">
          <ErrorNotice error={action.error} />
        </div>
      )}
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
      <Button look="quiet" onClick={() => setConfirming(true)} aria-label={t`Delete ${title}`}>
        <Trans>
          <Icon name="trash" className="size-4" /> Delete
        </Trans>
      </Button>
      <Confirm
        open={confirming}
        title={t`Delete this ${what}?`}
        confirmLabel="Delete"
        onConfirm={remove}
        onClose={() => setConfirming(false)}
      >
        <p>
          <Trans>
            <strong className="[overflow-wrap:anywhere]">{title}</strong>
            {isContainer(content.kind) && ' and everything in it'} will be moved to the trash, and links to it stop
            working. You can restore it for 30 days.
          </Trans>
        </p>
      </Confirm>
    </>
  );
}
