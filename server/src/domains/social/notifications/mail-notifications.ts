import { contentPagePath, contentStudioPath } from '../../../kernel/content-kinds.ts';
import { type Message, phrase, type Text, t } from '../../../kernel/languages/message.ts';
import type { Mail } from '../../../platform/mail/compose-mail.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type DueNotification, dueNotifications, markMailed } from './mail-notifications.store.ts';
import { UNSUBSCRIBE_PAGE, UNSUBSCRIBE_PATH } from './unsubscribe.routes.ts';
import { unsubscribeToken } from './unsubscribe.ts';

type Needs = Pick<Platform, 'db' | 'jobs' | 'secrets' | 'clock' | 'config'>;

/** Of a comment in a message. */
const MOST_TEXT = 500;
/** A message that could not be delivered for so long is old news. */
const EXPIRES_MS = 86_400_000;

/**
 * Queues messages for notifications that wait for it, at most so many; returns how many there were. Those whose account
 * may no longer see the video, or wants no more messages, are left out.
 */
export async function mailNotifications(platform: Needs, limit: number): Promise<number> {
  return platform.db.transaction(async (tx) => {
    const due = await dueNotifications(tx, limit);
    const expiresAtMs = platform.clock.now() + EXPIRES_MS;
    for (const notification of due)
      if (notification.wanted) await queueMail(platform, tx, messageOf(platform, notification), expiresAtMs);
    if (due.length > 0)
      await markMailed(
        tx,
        due.map(({ id }) => id),
      );
    return due.length;
  });
}

interface Notice {
  readonly subject: Text;
  readonly text: Text;
  readonly label: Text;
  readonly reason: Text;
}

const TEXTS: Readonly<Record<DueNotification['kind'], (about: DueNotification) => Notice>> = {
  COMMENT_REPLY: ({ author, title }) => ({
    subject: author === null ? t`Someone replied to your comment` : t`${author} replied to your comment`,
    text:
      author === null
        ? t`Someone replied to your comment on “${title}”:`
        : t`${author} replied to your comment on “${title}”:`,
    label: t`Open the video`,
    reason: t`You get this message because someone replied to a comment of yours.`,
  }),
  COMMENT_HEART: ({ channelTitle, title }) => ({
    subject: t`${channelTitle} loved your comment`,
    text: t`${channelTitle} gave a heart to your comment on “${title}”:`,
    label: t`Open the video`,
    reason: t`You get this message because a channel gave a heart to a comment of yours.`,
  }),
  NEW_VIDEO: ({ channelTitle, title, isLive }) => ({
    subject: t`${channelTitle}: ${title}`,
    text: isLive ? t`${channelTitle} is live: “${title}”.` : t`${channelTitle} published “${title}”.`,
    label: t`Watch it`,
    reason: t`You get this message because you follow ${channelTitle}.`,
  }),
  PROCESSING_DONE: ({ title }) => ({
    subject: t`“${title}” is ready`,
    text: t`The video “${title}” was processed and can be played.`,
    label: t`Open it in Studio`,
    reason: t`You get this message because a video of your channel was processed.`,
  }),
  PROCESSING_FAILED: ({ title }) => ({
    subject: t`“${title}” could not be processed`,
    text: t`The video “${title}” could not be processed. Its page in Studio says why, and what to do.`,
    label: t`Open it in Studio`,
    reason: t`You get this message because a video of your channel could not be processed.`,
  }),
  REPORT_REVIEWED: () => ({
    subject: t`Your report was reviewed`,
    text: t`What you reported was reviewed. Thank you for your report.`,
    label: t`Open your notifications`,
    reason: t`You get this message because you reported something that was reviewed.`,
  }),
};

function messageOf({ config, secrets }: Pick<Needs, 'config' | 'secrets'>, due: DueNotification): Mail {
  const { subject, text, label, reason } = TEXTS[due.kind](due);
  const token = encodeURIComponent(unsubscribeToken(secrets, due));
  const quoted = due.body === null || due.kind === 'REPORT_REVIEWED' ? [] : [quote(due.body)];
  return {
    to: due.email,
    subject,
    paragraphs: [text, ...quoted],
    action: { label, url: `${config.BASE_URL}${pathOf(due)}` },
    unsubscribe: {
      reason,
      pageUrl: `${config.BASE_URL}${UNSUBSCRIBE_PAGE}#token=${token}`,
      postUrl: `${config.BASE_URL}${UNSUBSCRIBE_PATH}?token=${token}`,
    },
  };
}

const quote = (text: string): Message => phrase`${text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text}`;

/** The page of the web application about it. */
function pathOf({ kind, content, commentId }: DueNotification): string {
  if (kind === 'REPORT_REVIEWED') return '/notifications';
  if (kind === 'PROCESSING_DONE' || kind === 'PROCESSING_FAILED') return contentStudioPath(content);
  return contentPagePath(content) + (commentId === null ? '' : `?comment=${commentId}`);
}
