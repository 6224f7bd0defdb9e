import { contentPagePath, contentStudioPath } from '../../../kernel/content-kinds.ts';
import { composeMail } from '../../../platform/mail/compose-mail.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';
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

interface Text {
  readonly subject: string;
  readonly text: string;
  readonly label: string;
  readonly reason: string;
}

const TEXTS: Readonly<Record<DueNotification['kind'], (about: DueNotification) => Text>> = {
  COMMENT_REPLY: ({ author, title }) => ({
    subject: `${author ?? 'Someone'} replied to your comment`,
    text: `${author ?? 'Someone'} replied to your comment on “${title}”:`,
    label: 'Open the video',
    reason: 'You get this message because someone replied to a comment of yours.',
  }),
  COMMENT_HEART: ({ channelTitle, title }) => ({
    subject: `${channelTitle} loved your comment`,
    text: `${channelTitle} gave a heart to your comment on “${title}”:`,
    label: 'Open the video',
    reason: 'You get this message because a channel gave a heart to a comment of yours.',
  }),
  NEW_VIDEO: ({ channelTitle, title }) => ({
    subject: `${channelTitle}: ${title}`,
    text: `${channelTitle} published “${title}”.`,
    label: 'Watch it',
    reason: `You get this message because you follow ${channelTitle}.`,
  }),
  PROCESSING_DONE: ({ title }) => ({
    subject: `“${title}” is ready`,
    text: `The video “${title}” was processed and can be played.`,
    label: 'Open it in Studio',
    reason: 'You get this message because a video of your channel was processed.',
  }),
  PROCESSING_FAILED: ({ title }) => ({
    subject: `“${title}” could not be processed`,
    text: `The video “${title}” could not be processed. Its page in Studio says why, and what to do.`,
    label: 'Open it in Studio',
    reason: 'You get this message because a video of your channel could not be processed.',
  }),
  REPORT_REVIEWED: () => ({
    subject: 'Your report was reviewed',
    text: 'What you reported was reviewed. Thank you for your report.',
    label: 'Open your notifications',
    reason: 'You get this message because you reported something that was reviewed.',
  }),
};

function messageOf({ config, secrets }: Pick<Needs, 'config' | 'secrets'>, due: DueNotification): MailMessage {
  const { subject, text, label, reason } = TEXTS[due.kind](due);
  const token = encodeURIComponent(unsubscribeToken(secrets, due));
  const quoted = due.body === null || due.kind === 'REPORT_REVIEWED' ? [] : [shortened(due.body)];
  return composeMail({
    to: due.email,
    subject: oneLine(subject),
    paragraphs: [text, ...quoted],
    action: { label, url: `${config.BASE_URL}${pathOf(due)}` },
    unsubscribe: {
      reason,
      pageUrl: `${config.BASE_URL}${UNSUBSCRIBE_PAGE}#token=${token}`,
      postUrl: `${config.BASE_URL}${UNSUBSCRIBE_PATH}?token=${token}`,
    },
  });
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 150);
const shortened = (text: string): string => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text);

/** The page of the web application about it. */
function pathOf({ kind, content }: DueNotification): string {
  if (kind === 'REPORT_REVIEWED') return '/notifications';
  const isOwn = kind === 'PROCESSING_DONE' || kind === 'PROCESSING_FAILED';
  return isOwn ? contentStudioPath(content) : contentPagePath(content);
}
