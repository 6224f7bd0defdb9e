import { type CommandScope, type CommandTarget, type ViewerScope, viewerRow } from '../../../gql/index.ts';
import { permits } from '../../../kernel/policy.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { isVisibleChannel, mayInChannel, SCOPED } from '../../channels/index.ts';
import { isVisibleComment } from '../comments/comment-visibility.sql.ts';
import type { ReportReason, Resolution } from './report-reasons.ts';
import { REPORTING } from './reports.policy.ts';

/** Kinds of objects that can be reported. */
export type Reportable = 'content' | 'comment' | 'channel' | 'chatMessage';

/** For each kind: its table, and whether the viewer `v` may see it. */
const SUBJECTS: Readonly<Record<Reportable, string>> = {
  content: `select c.channel_id, c.id as content_id, null::uuid as comment_id, null::uuid as chat_message_id,
      ${isVisibleContent('c', SCOPED)} as visible
    from ${viewerRow('$1')} join contents c on c.id = $2 and c.deleted_at is null`,
  comment: `select x.channel_id, null::uuid as content_id, x.id as comment_id, null::uuid as chat_message_id,
      ${isVisibleComment('x', SCOPED)} as visible
    from ${viewerRow('$1')} join comments x on x.id = $2 and x.deleted_at is null`,
  channel: `select ch.id as channel_id, null::uuid as content_id, null::uuid as comment_id,
      null::uuid as chat_message_id, ${isVisibleChannel('ch', SCOPED)} as visible
    from ${viewerRow('$1')} join channels ch on ch.id = $2`,
  // What is held for review is seen by its author and those who review it.
  chatMessage: `select m.channel_id, null::uuid as content_id, null::uuid as comment_id, m.id as chat_message_id,
      m.status = 'PUBLISHED' and ${isVisibleContent('c', SCOPED)} as visible
    from ${viewerRow('$1')} join chat_messages m on m.id = $2 join contents c on c.id = m.content_id
      and c.deleted_at is null`,
};

function reportStatement(kind: Reportable) {
  return sql(
    `report_${kind === 'chatMessage' ? 'chat_message' : kind}`,
    `with target as (${SUBJECTS[kind]}),
     permitted as (select * from target where ${permits(REPORTING)}),
     created as (
       insert into reports (id, channel_id, content_id, comment_id, chat_message_id, subject_id, account_id, reason,
         note, created_at)
       select $3, channel_id, content_id, comment_id, chat_message_id, $2, $7, $4, $5, $6 from permitted
       on conflict (account_id, subject_id) where status = 'OPEN' do update set reason = excluded.reason,
         note = excluded.note where (reports.reason, reports.note) is distinct from (excluded.reason, excluded.note)
       returning id, channel_id, reason),
     event as (
       insert into events (type, channel_id, subject_id, payload)
       select 'report.created', channel_id, id, jsonb_build_object('reason', reason) from created where id = $3)
     select t.visible, coalesce((select id from created), (select r.id from reports r join permitted on true
       where r.account_id = $7 and r.subject_id = $2 and r.status = 'OPEN')) as id
     from target t`,
  );
}

const STATEMENTS: Readonly<Record<Reportable, ReturnType<typeof reportStatement>>> = {
  content: reportStatement('content'),
  comment: reportStatement('comment'),
  channel: reportStatement('channel'),
  chatMessage: reportStatement('chatMessage'),
};

export interface NewReport {
  readonly id: string;
  readonly kind: Reportable;
  readonly subjectId: string;
  readonly accountId: string;
  readonly viewer: ViewerScope;
  readonly reason: ReportReason;
  readonly note: string;
  /** ISO 8601. */
  readonly now: string;
}

/** The reported object, as the viewer sees it. */
export interface SavedReport {
  readonly visible: boolean;
  /** Null when nothing was saved. */
  readonly id: string | null;
}

/** Opens a report on an object the viewer sees, or updates its open one. Null when there is no such object. */
export function saveReport(db: Executor, report: NewReport): Promise<SavedReport | null> {
  const { id, kind, subjectId, accountId, viewer, reason, note, now } = report;
  return db.first<SavedReport>(STATEMENTS[kind], [viewer, subjectId, id, reason, note, now, accountId]);
}

/** Input of resolveReport. */
export interface ReportResolution {
  readonly id: string;
  readonly resolution: Resolution;
}

/** The report to close, locked, as the viewer sees it. */
export const REPORT_TARGET: CommandTarget<ReportResolution> = {
  field: 'id',
  from: (s) => `join reports r on r.id = ${s.value(({ id }) => id, 'uuid')} for update of r`,
  columns: (s) => ({
    id: 'r.id',
    status: 'r.status',
    account_id: `${s.viewer}.account_id`,
    moderator: mayInChannel(s, 'r.channel_id', 'comment:moderate'),
    agreed: `r.status = ${s.value(({ resolution }) => resolution, 'text')}`,
  }),
};

/** Closes an open report. */
export function resolveReportWrites(s: CommandScope<ReportResolution>): Readonly<Record<'changed' | 'event', string>> {
  return {
    changed: `
    update reports r set status = ${s.value(({ resolution }) => resolution, 'text')}, resolved_by = t.account_id,
      resolved_at = ${s.now}
    from permitted t where r.id = t.id and t.status = 'OPEN' returning r.*`,
    event: `
    insert into events (type, channel_id, subject_id, payload)
    select 'report.resolved', channel_id, id, jsonb_build_object('resolution', status) from changed`,
  };
}
