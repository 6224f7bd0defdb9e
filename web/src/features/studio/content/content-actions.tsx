import { useState } from 'react';
import { DeleteContent, type StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { Trans, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { dropUploadsOf } from '../../uploads/upload-commands.ts';
import { isOpenToOthers, unpublish } from '../audience/audience.ts';
import { isContainer } from '../kinds/kind-lists.ts';
import { DELETE_QUESTIONS } from '../kinds/kinds.ts';

/** Unpublishes a content, or cancels its scheduled or requested publication; nothing where there is none. */
export function UnpublishButton({ content, onChange }: { content: StudioContentFragment; onChange: () => void }) {
  const action = useAction();
  const { status } = content;
  if (!isOpenToOthers(content, Date.now())) return null;
  const close = async (): Promise<void> => {
    await unpublish(content);
    onChange();
  };
  return (
    <>
      <Button busy={action.busy !== null} onClick={() => action.run('unpublish', close)}>
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
  const remove = async (): Promise<void> => {
    await api(DeleteContent, { id: content.id });
    dropUploadsOf(content.id);
    onDelete(content.id);
  };
  return (
    <>
      <Button look="quiet" onClick={() => setConfirming(true)} aria-label={t`Delete ${title}`}>
        <Icon name="trash" className="size-4" /> {t`Delete`}
      </Button>
      <Confirm
        open={confirming}
        title={DELETE_QUESTIONS[content.kind]}
        confirmLabel={t`Delete`}
        onConfirm={remove}
        onClose={() => setConfirming(false)}
      >
        <p>
          {isContainer(content.kind) ? (
            <Trans>
              <strong className="[overflow-wrap:anywhere]">{title}</strong> and everything in it will be moved to the
              trash, and links to it stop working. You can restore it for 30 days.
            </Trans>
          ) : (
            <Trans>
              <strong className="[overflow-wrap:anywhere]">{title}</strong> will be moved to the trash, and links to it
              stop working. You can restore it for 30 days.
            </Trans>
          )}
        </p>
      </Confirm>
    </>
  );
}
