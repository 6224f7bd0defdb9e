import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { ownerOfReport, subjectKindOf, takenDownAt, titleOfReport } from './server-reports.sql.ts';

/** A report that an operator decides on, locked. */
export interface ReviewedReport {
  readonly id: string;
  readonly status: 'OPEN' | 'RESOLVED' | 'DISMISSED';
  readonly kind: 'CONTENT' | 'COMMENT' | 'CHAT_MESSAGE' | 'CHANNEL';
  /** Id of the content, comment, message or channel. */
  readonly subjectId: string;
  readonly isTakenDown: boolean;
  /** Of the content; null for a channel. */
  readonly title: string | null;
  readonly channelHandle: string;
  /** Of the owner of the subject; null once the account is deleted. */
  readonly email: string | null;
  readonly username: string | null;
}

const LOCK = sql(
  'lock_report_for_operator',
  `select r.id, r.status, ${subjectKindOf('r')} as kind, r.subject_id as "subjectId",
     ${takenDownAt('r')} is not null as "isTakenDown", ${titleOfReport('r')} as title,
     h.handle::text as "channelHandle", a.email::text as email, a.username::text as username
   from reports r join channels h on h.id = r.channel_id left join accounts a on a.id = ${ownerOfReport('r')}
   where r.id = $1 for update of r`,
);

export function lockReport(tx: Executor, id: string): Promise<ReviewedReport | null> {
  return tx.first<ReviewedReport>(LOCK, [id]);
}
