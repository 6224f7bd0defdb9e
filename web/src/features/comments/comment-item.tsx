import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ChangeComment, type CommentPartsFragment, LikeComment, UnlikeComment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { channelPath } from '../../lib/did.ts';
import { ago, counted, shortCount } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { useSignedIn } from '../../lib/use-signed-in.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Avatar, pick } from '../../ui/picture.tsx';
import { POPOVER_ITEM, Popover } from '../../ui/popover.tsx';
import { ReportDialog } from '../social/report-dialog.tsx';
import { useToggle } from '../social/use-toggle.ts';
import { commentActions } from './comment-actions.ts';
import { CommentBody } from './comment-body.tsx';
import { useCommentPlace } from './comment-context.ts';
import { CommentForm } from './comment-form.tsx';

const SMALL = 'inline-flex min-h-9 items-center gap-1.5 rounded-lg px-2 text-sm font-medium text-muted hover:bg-raised hover:text-fore';

interface Properties {
  readonly comment: CommentPartsFragment;
  /** Opens the form for an answer; null where none can be given. */
  readonly onReply: (() => void) | null;
}

/** One comment: who, when, what, and what one can do about it. */
export function CommentItem({ comment, onReply }: Properties) {
  const place = useCommentPlace();
  const [editing, setEditing] = useState(false);
  const action = useAction();
  const { author } = comment;
  const change = async (body: string): Promise<void> => {
    place.onChange((await api(ChangeComment, { id: comment.id, body })).updateComment);
    setEditing(false);
  };
  if (!author) return <p className="py-1 text-muted italic">{GONE[comment.status]}</p>;
  return (
    <article aria-label={`Comment of ${author.username}`} className="flex gap-3">
      <Avatar
        image={pick(author.channel.assets.images, 'AVATAR')}
        name={author.username}
        className={comment.depth > 0 ? 'size-8 text-sm' : 'size-10 text-base'}
      />
      <div className="min-w-0 grow space-y-1">
        <Byline comment={comment} />
        {editing ? (
          <CommentForm label="Change your comment" send="Save" initial={comment.body} onSend={change} onCancel={() => setEditing(false)} />
        ) : (
          <CommentBody comment={comment} />
        )}
        {action.error !== null && <ErrorNotice error={action.error} />}
        {!editing && (
          <div className="-ml-2 flex flex-wrap items-center gap-1">
            <Like comment={comment} />
            {onReply && comment.status === 'PUBLISHED' && (
              <button type="button" className={SMALL} onClick={onReply} aria-label={`Reply to ${author.username}`}>
                Reply
              </button>
            )}
            <Menu comment={comment} onEdit={() => setEditing(true)} action={action} />
          </div>
        )}
      </div>
    </article>
  );
}

const GONE = {
  DELETED: 'This comment was deleted.',
  REJECTED: 'This comment was removed by the channel.',
  HELD: 'This comment waits for review.',
  PUBLISHED: 'The account of this comment was deleted.',
} as const;

const HELD = {
  ALL: 'the channel reviews every comment',
  BLOCKED_WORD: 'it has a word the channel blocks',
  LINK: 'it has a link',
  MODERATOR: 'a moderator holds it',
} as const;

function Byline({ comment }: { comment: CommentPartsFragment }) {
  const { channelTitle } = useCommentPlace();
  const { author, parent, depth, createdAt, editedAt, status, heldFor, isPinned, isHearted } = comment;
  if (!author) return null;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-muted">
        <Link to="/channel/$id" params={{ id: channelPath(author.channel.id) }} className="font-semibold text-fore hover:text-accent-text">
          {author.username}
        </Link>
        {depth > 1 && parent?.author && <span>answers {parent.author.username}</span>}
        <time dateTime={createdAt}>{ago(createdAt, Date.now())}</time>
        {editedAt && <span title={`Edited ${ago(editedAt, Date.now())}`}>edited</span>}
        {isPinned && (
          <span className="inline-flex items-center gap-1 font-medium text-sea">
            <Icon name="pin" className="size-4" /> Pinned
          </span>
        )}
        {isHearted && (
          <span className="inline-flex items-center gap-1 font-medium text-accent-text">
            <Icon name="heart" filled className="size-4" /> Loved by {channelTitle}
          </span>
        )}
      </p>
      {status === 'HELD' && (
        <p className="text-sm text-sea">Waits for review{heldFor ? `: ${HELD[heldFor]}` : ''}. Only you and the channel see it.</p>
      )}
      {status === 'REJECTED' && <p className="text-sm text-danger">Removed. Only its author and the channel see it.</p>}
    </>
  );
}

function Like({ comment }: { comment: CommentPartsFragment }) {
  const { id, likes } = comment;
  const { on, count, error, toggle } = useToggle({ on: likes.isLiked, count: likes.count }, async (wanted) => {
    const now = wanted ? (await api(LikeComment, { id })).likeComment : (await api(UnlikeComment, { id })).unlikeComment;
    return { on: now.likes.isLiked, count: now.likes.count };
  });
  if (comment.status !== 'PUBLISHED') return null;
  return (
    <>
      <button
        type="button"
        className={SMALL}
        aria-pressed={on}
        aria-label={`Like this comment, ${counted(count, 'like')}`}
        onClick={toggle}
      >
        <Icon name="heart" filled={on} className={`size-4.5 ${on ? 'text-accent-text' : ''}`} />
        {count > 0 && <span className="tabular-nums">{shortCount(count)}</span>}
      </button>
      {error !== null && (
        <div className="order-last basis-full">
          <ErrorNotice error={error} />
        </div>
      )}
    </>
  );
}

interface MenuProperties {
  readonly comment: CommentPartsFragment;
  readonly onEdit: () => void;
  readonly action: ReturnType<typeof useAction>;
}

function Menu({ comment, onEdit, action }: MenuProperties) {
  const place = useCommentPlace();
  const whenSignedIn = useSignedIn();
  const [reporting, setReporting] = useState<string | null>(null);
  const own = comment.author?.username === place.username;
  return (
    <>
      <Popover
        label={`More about the comment of ${comment.author?.username ?? 'nobody'}`}
        face={<Icon name="more" className="size-5" />}
        className={buttonClass('quiet', 'min-h-9 py-1')}
        align="left"
      >
        {own && (
          <button type="button" className={POPOVER_ITEM} onClick={onEdit}>
            <Icon name="edit" className="size-4.5" /> Edit
          </button>
        )}
        {commentActions(comment, place).map(({ name, icon, run }) => (
          <button key={name} type="button" className={POPOVER_ITEM} onClick={() => action.run(name, run)}>
            <Icon name={icon} className="size-4.5" /> {name}
          </button>
        ))}
        {!own && (
          <button type="button" className={POPOVER_ITEM} onClick={() => whenSignedIn(() => setReporting(comment.id))}>
            <Icon name="flag" className="size-4.5" /> Report
          </button>
        )}
      </Popover>
      <ReportDialog target={reporting} what="this comment" onClose={() => setReporting(null)} />
    </>
  );
}
