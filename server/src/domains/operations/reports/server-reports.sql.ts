import type { ArgScope, RowScope } from '../../../gql/index.ts';

/** SQL: the reports in a state that an operator asked for; none for others. */
export function administeredReports(report: string, s: RowScope, args: ArgScope): string {
  return `${s.viewer}.is_operator and ${report}.status = ${args.param('status', 'text')}`;
}

/** SQL: CONTENT, COMMENT, CHAT_MESSAGE or CHANNEL. */
export function subjectKindOf(report: string): string {
  return (
    `case when ${report}.comment_id is not null then 'COMMENT' when ${report}.content_id is not null then 'CONTENT' ` +
    `when ${report}.chat_message_id is not null then 'CHAT_MESSAGE' else 'CHANNEL' end`
  );
}

/** SQL: the content that a report is about: the reported one, or that of the reported comment or message. */
export function contentOfReport(report: string): string {
  return (
    `coalesce(${report}.content_id, (select m.content_id from comments m where m.id = ${report}.comment_id), ` +
    `(select m.content_id from chat_messages m where m.id = ${report}.chat_message_id))`
  );
}

/** SQL: the text of the reported comment or message; null for something else, and for a deleted message. */
export function commentOfReport(report: string): string {
  return (
    `coalesce((select m.body from comments m where m.id = ${report}.comment_id), ` +
    `(select nullif(m.body, '') from chat_messages m where m.id = ${report}.chat_message_id))`
  );
}

/** SQL: the title of that content; null for a channel. */
export function titleOfReport(report: string): string {
  return `(select o.title from contents o where o.id = ${contentOfReport(report)})`;
}

/** SQL: whose it is: the account of the author of a comment or message, or of the owner of the channel. */
export function ownerOfReport(report: string): string {
  return (
    `case when ${report}.comment_id is not null ` +
    `then (select m.account_id from comments m where m.id = ${report}.comment_id) ` +
    `when ${report}.chat_message_id is not null ` +
    `then (select m.account_id from chat_messages m where m.id = ${report}.chat_message_id) ` +
    `else (select h.account_id from channels h where h.id = ${report}.channel_id) end`
  );
}

/** SQL: when an operator took down what is reported; null if it is not. */
export function takenDownAt(report: string): string {
  return (
    `coalesce((select m.taken_down_at from comments m where m.id = ${report}.comment_id), ` +
    `(select o.taken_down_at from contents o where o.id = ${report}.content_id))`
  );
}
