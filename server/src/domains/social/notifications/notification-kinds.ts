/** Kinds of notifications, in the order in which settings list them: what each is about, and its setting. */
export const NOTIFICATION_KINDS = {
  COMMENT_REPLY: 'A comment of the account got a reply.',
  COMMENT_HEART: 'A channel gave a comment of the account its heart.',
  NEW_VIDEO: 'A followed channel published a video.',
  PROCESSING_DONE: 'A video of a channel that the account owns was processed.',
  PROCESSING_FAILED: 'A video of a channel that the account owns could not be processed.',
} as const satisfies Record<string, string>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

/** Whether a text names a kind. */
export function isNotificationKind(text: string): text is NotificationKind {
  return Object.hasOwn(NOTIFICATION_KINDS, text);
}
