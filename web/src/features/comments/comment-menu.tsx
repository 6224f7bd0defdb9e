import { useState } from 'react';
import type { CommentPartsFragment } from '../../gql/generated/operations.gen.ts';
import type { useAction } from '../../lib/hooks/use-action.ts';
import { useSignedIn } from '../../lib/hooks/use-signed-in.ts';
import { t, tc } from '../../lib/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { POPOVER_ITEM, Popover } from '../../ui/popover.tsx';
import { ReportDialog } from '../social/report-dialog.tsx';
import { type CommentAction, commentActions } from './comment-actions.ts';
import { useCommentSection } from './comment-section-context.ts';

interface Properties {
  readonly comment: CommentPartsFragment;
  readonly onEdit: () => void;
  readonly action: ReturnType<typeof useAction>;
}

/** The menu of a comment: edit, moderate, report. */
export function CommentMenu({ comment, onEdit, action }: Properties) {
  const section = useCommentSection();
  const whenSignedIn = useSignedIn();
  const [reporting, setReporting] = useState<string | null>(null);
  const [confirming, setConfirming] = useState<CommentAction | null>(null);
  const own = comment.author?.username === section.username;
  return (
    <>
      <Popover
        label={
          comment.author
            ? t`More actions for the comment by ${comment.author.username}`
            : t`More actions for the comment by a deleted account`
        }
        face={<Icon name="more" className="size-5" />}
        className={buttonClass('quiet', 'min-h-9 py-1')}
        align="start"
      >
        {own && <Item name={t`Edit`} icon="edit" onPress={onEdit} />}
        {commentActions(comment, section).map((each) => (
          <Item
            key={each.icon}
            name={each.name}
            icon={each.icon}
            onPress={() => (each.question ? setConfirming(each) : action.run(each.icon, each.run))}
          />
        ))}
        {!own && (
          <Item name={tc('verb', 'Report')} icon="flag" onPress={() => whenSignedIn(() => setReporting(comment.id))} />
        )}
      </Popover>
      <ReportDialog target={reporting} title={t`Report this comment`} onClose={() => setReporting(null)} />
      <Confirm
        open={confirming !== null}
        title={confirming?.question?.title ?? ''}
        confirmLabel={confirming?.question?.yes ?? ''}
        onConfirm={async () => confirming?.run()}
        onClose={() => setConfirming(null)}
      >
        <p>{confirming?.question?.text}</p>
      </Confirm>
    </>
  );
}

function Item({ name, icon, onPress }: { name: string; icon: IconName; onPress: () => void }) {
  return (
    <button type="button" className={POPOVER_ITEM} onClick={onPress}>
      <Icon name={icon} className="size-4.5" /> {name}
    </button>
  );
}
