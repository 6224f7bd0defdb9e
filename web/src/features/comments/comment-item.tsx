import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  type CommentPartsFragment,
  LikeComment,
  UnlikeComment,
  UpdateComment,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago, shortCount } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { useRestoreFocus } from '../../lib/hooks/use-restore-focus.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Icon } from '../../ui/icons.tsx';
import { Avatar, pickImage } from '../../ui/image.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useToggle } from '../social/use-toggle.ts';
import { CommentBody } from './comment-body.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentMenu } from './comment-menu.tsx';
import { useCommentSection } from './comment-section-context.ts';

const SMALL =
  'inline-flex min-h-9 items-center gap-1.5 rounded-lg px-2 ' +
  'text-sm font-medium text-muted hover:bg-raised hover:text-fore';

interface Properties {
  readonly comment: CommentPartsFragment;
  /** Opens the reply form; null where replies are not possible. */
  readonly onReply: (() => void) | null;
  /** Whether that form is open. */
  readonly replying: boolean;
  /** Whether the viewer came for this comment: it is scrolled to and stands out. */
  readonly isNamed?: boolean;
}

/** A comment with its actions. */
export function CommentItem({ comment, onReply, replying, isNamed = false }: Properties) {
  const section = useCommentSection();
  const [editing, setEditing] = useState(false);
  const whole = useRestoreFocus<HTMLElement>(editing);
  const opener = useRestoreFocus(replying);
  const action = useAction();
  useEffect(() => {
    if (isNamed) whole.current?.scrollIntoView({ block: 'center' });
  }, [isNamed, whole]);
  const { author } = comment;
  const change = async (body: string): Promise<void> => {
    section.onChange((await api(UpdateComment, { id: comment.id, body })).updateComment.comment);
    setEditing(false);
  };
  if (!author) return <p className="py-1 text-muted italic">{GONE[comment.status]}</p>;
  return (
    <article
      ref={whole}
      aria-label={t`Comment by ${author.username}`}
      tabIndex={-1}
      aria-current={isNamed ? 'true' : undefined}
      className="flex gap-3 rounded-xl outline-none aria-[current=true]:bg-raised aria-[current=true]:p-3"
    >
      <Avatar
        image={pickImage(author.channel.assets.images, 'AVATAR')}
        name={author.username}
        className={comment.depth > 0 ? 'size-8 text-sm' : 'size-10 text-base'}
      />
      <div className="min-w-0 grow space-y-1">
        <Byline comment={comment} />
        {editing ? (
          <CommentForm
            label={t`Edit your comment`}
            send={t`Save`}
            initial={comment.body}
            onSend={change}
            onCancel={() => setEditing(false)}
          />
        ) : (
          <CommentBody comment={comment} />
        )}
        {action.error !== null && <ErrorNotice error={action.error} />}
        {!editing && (
          <div className="-ms-2 flex flex-wrap items-center gap-1">
            <Like comment={comment} />
            {onReply && comment.status === 'PUBLISHED' && (
              <button
                ref={opener}
                type="button"
                className={SMALL}
                onClick={onReply}
                aria-label={t`Reply to ${author.username}`}
              >{t`Reply`}</button>
            )}
            <CommentMenu comment={comment} onEdit={() => setEditing(true)} action={action} />
          </div>
        )}
      </div>
    </article>
  );
}

const GONE = {
  DELETED: t`This comment was deleted.`,
  REJECTED: t`This comment was removed by the channel.`,
  HELD: t`This comment is held for review.`,
  PUBLISHED: t`The author’s account was deleted.`,
} as const;

const HELD = {
  ALL: t`Held for review: the channel reviews every comment.`,
  BLOCKED_WORD: t`Held for review: it contains a blocked word.`,
  LINK: t`Held for review: it contains a link.`,
  MODERATOR: t`Held for review: a moderator held it.`,
} as const;

function Byline({ comment }: { comment: CommentPartsFragment }) {
  const { channelTitle, moderates } = useCommentSection();
  const { author, parent, depth, createdAt, editedAt, status, heldFor, isPinned, isHearted } = comment;
  if (!author) return null;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-muted">
        <Link
          to="/@{$handle}"
          params={{ handle: author.channel.handle }}
          className="font-semibold text-fore hover:text-accent-text"
        >
          {author.username}
        </Link>
        {depth > 1 && parent?.author && <span>{t`replying to ${parent.author.username}`}</span>}
        <time dateTime={createdAt}>{ago(createdAt, Date.now())}</time>
        {editedAt && <span title={t`Edited ${ago(editedAt, Date.now())}`}>{t`edited`}</span>}
        {isPinned && (
          <span className="inline-flex items-center gap-1 font-medium text-sea">
            <Icon name="pin" className="size-4" />
            {t`Pinned`}
          </span>
        )}
        {isHearted && (
          <span className="inline-flex items-center gap-1 font-medium text-accent-text">
            <Icon name="heart" filled className="size-4" />
            {t`Loved by ${channelTitle}`}
          </span>
        )}
      </p>
      {status === 'HELD' && (
        <p className="text-sm text-sea">
          {heldFor ? HELD[heldFor] : t`Held for review.`}{' '}
          {moderates ? t`Only the author and the channel can see it.` : t`Only you and the channel can see it.`}
        </p>
      )}
      {status === 'REJECTED' && (
        <p className="text-sm text-danger">{t`Removed. Only the author and the channel can see it.`}</p>
      )}
    </>
  );
}

function Like({ comment }: { comment: CommentPartsFragment }) {
  const { id, likes } = comment;
  const { on, count, error, toggle } = useToggle({ on: likes.isLiked, count: likes.count }, async (next) => {
    const now = next
      ? (await api(LikeComment, { id })).likeComment.comment
      : (await api(UnlikeComment, { id })).unlikeComment.comment;
    return { on: now.likes.isLiked, count: now.likes.count };
  });
  if (comment.status !== 'PUBLISHED') return null;
  return (
    <>
      <button
        type="button"
        className={SMALL}
        aria-pressed={on}
        aria-label={t`Like this comment, ${plural(count, { one: '# like', other: '# likes' }, shortCount(count))}`}
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
