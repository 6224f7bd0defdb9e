import { Link } from '@tanstack/react-router';
import type { NotificationRowFragment } from '../../gql/generated/operations.gen.ts';
import { contentTail, didSuffix } from '../../lib/did.ts';
import { ago } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { ResponsiveImage } from '../../ui/image.tsx';
import { markRead } from './unread.ts';

const ICONS: Readonly<Record<NotificationRowFragment['kind'], IconName>> = {
  COMMENT_REPLY: 'reply',
  COMMENT_HEART: 'heart',
  NEW_VIDEO: 'play',
  PROCESSING_DONE: 'check',
  PROCESSING_FAILED: 'warning',
  CHANNEL_INVITATION: 'person',
  REPORT_REVIEWED: 'flag',
};

interface Properties {
  readonly notification: NotificationRowFragment;
  /** Whether it is shown as read although it was not when it was loaded. */
  readonly isRead: boolean;
}

/** A notification, which leads to what it is about and is read then. */
export function NotificationRow({ notification, isRead }: Properties) {
  const { id, content, invitation, createdAt } = notification;
  if (!content && !invitation && notification.kind !== 'REPORT_REVIEWED') return null;
  return (
    <div className="group relative flex gap-3 rounded-xl p-2.5 hover:bg-raised">
      <span
        className={
          'grid size-9 shrink-0 place-items-center rounded-full ' +
          (isRead ? 'bg-raised text-muted' : 'bg-accent text-on-accent')
        }
      >
        <Icon name={ICONS[notification.kind]} className="size-5" />
      </span>
      <div className="min-w-0 grow">
        <p
          dir="auto"
          className={`line-clamp-3 leading-snug [overflow-wrap:anywhere] ${isRead ? 'text-muted' : 'font-semibold'}`}
        >
          {!isRead && <span className="sr-only">{t`Unread:`} </span>}
          <Link
            {...targetOf(notification)}
            onClick={() => {
              // The page opens in any case; it stays unread if this fails.
              if (!isRead) markRead([id]).catch(() => undefined);
            }}
            className="after:absolute after:inset-0 after:rounded-xl"
          >
            {textOf(notification)}
          </Link>
        </p>
        <p className="mt-0.5 text-sm text-muted">
          <time dateTime={createdAt}>{ago(createdAt, Date.now())}</time>
        </p>
      </div>
      {content && (
        <div className="aspect-video w-20 shrink-0 self-start overflow-hidden rounded-lg bg-raised">
          <ResponsiveImage image={content.card.image} sizes="5rem" className="size-full" />
        </div>
      )}
    </div>
  );
}

function targetOf({ kind, content, comment }: NotificationRowFragment) {
  if (kind === 'CHANNEL_INVITATION') return { to: '/invitations' } as const;
  if (!content) return { to: '/notifications' } as const;
  const isOwn = kind === 'PROCESSING_DONE' || kind === 'PROCESSING_FAILED';
  return isOwn
    ? ({ to: '/studio/content/$', params: { _splat: contentTail(content.id) } } as const)
    : ({
        to: '/w/$code',
        params: { code: content.shortCode },
        search: comment ? { comment: didSuffix(comment.id) } : {},
      } as const);
}

function textOf({ kind, content, comment, invitation }: NotificationRowFragment): string {
  const title = content?.card.title ?? '';
  const channel = content?.channel.metadata.title ?? '';
  const text = comment?.body ?? '';
  switch (kind) {
    case 'COMMENT_REPLY':
      return comment?.author ? t`${comment.author.username} replied: “${text}”` : t`Someone replied: “${text}”`;
    case 'COMMENT_HEART':
      return t`${channel} loved your comment: “${text}”`;
    case 'NEW_VIDEO':
      if (content?.kind === 'STREAM') return t`${channel} went live: “${title}”`;
      return t`${channel} published “${title}”`;
    case 'PROCESSING_DONE':
      return t`Your video “${title}” is ready to play`;
    case 'REPORT_REVIEWED':
      return t`Your report was reviewed. Thank you for helping.`;
    case 'PROCESSING_FAILED':
      return t`Your video “${title}” could not be processed`;
    case 'CHANNEL_INVITATION':
      return invitationText(invitation);
  }
}

function invitationText(invitation: NotificationRowFragment['invitation']): string {
  const title = invitation?.channel.metadata.title ?? '';
  return invitation?.invitedBy
    ? t`${invitation.invitedBy.displayName} invites you to ${title}`
    : t`Someone invites you to ${title}`;
}
