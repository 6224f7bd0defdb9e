/** Kinds of notifications, in the order in which settings list them: what each is about, and its setting. */
export const NOTIFICATION_KINDS = {
  COMMENT_REPLY: 'A comment of the account got a reply.',
  COMMENT_HEART: 'A channel gave a comment of the account its heart.',
  NEW_VIDEO: 'A followed channel published a video, or is live.',
  PROCESSING_DONE: 'A video of a channel that the account owns was processed.',
  PROCESSING_FAILED: 'A video of a channel that the account owns could not be processed.',
  CHANNEL_INVITATION: 'The account is invited to a channel. Always shown; the message with the link is no setting.',
  REPORT_REVIEWED: 'Something that the account reported was reviewed.',
} as const satisfies Record<string, string>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

/** Kinds that accounts can switch off, and get by mail. */
export const CHOSEN_KINDS: readonly NotificationKind[] = (Object.keys(NOTIFICATION_KINDS) as NotificationKind[]).filter(
  (kind) => kind !== 'CHANNEL_INVITATION',
);

/** Whether a text names a kind. */
export function isNotificationKind(text: string): text is NotificationKind {
  return Object.hasOwn(NOTIFICATION_KINDS, text);
}
