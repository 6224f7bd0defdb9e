/** What operators do, with what the log says about each. */
export const OPERATOR_ACTIONS = {
  ACCOUNT_SUSPENDED: 'An account was suspended; details are the reason.',
  ACCOUNT_REINSTATED: 'A suspension ended.',
  PLAN_SET: 'Plan and state of an account were set; details are what they are now.',
  PASSWORD_RESET_SENT: 'A link that resets a password was sent.',
  JOB_RETRIED: 'A failed or cancelled job was started again; the subject is the title of its content.',
  JOB_CANCELLED: 'A job was cancelled; the subject is the title of its content.',
  REPORT_DISMISSED: 'A report was dismissed; the subject is what was reported.',
  CONTENT_TAKEN_DOWN: 'A content was taken down; the subject is its title, details are the reason.',
  COMMENT_TAKEN_DOWN: 'A comment was taken down; the subject is its author and the content, details are the reason.',
  CHAT_MESSAGE_DELETED:
    'A message in a chat was deleted; the subject is its author and the stream, details are the reason.',
  SETTINGS_CHANGED: 'Settings of the server changed; details are what they are now.',
  OPERATOR_CLAIMED: 'An account became an operator with the code of the server; it is the subject, too.',
  TAKEDOWN_LIFTED: 'A takedown ended; the subject is what was taken down.',
} as const;

export type OperatorActionKind = keyof typeof OPERATOR_ACTIONS;
