import type { CommandScope, CommandTarget } from '../../../gql/index.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { cancelJobWrites } from '../../transcode/index.ts';
import type { JobPurpose } from './job-purposes.ts';
import { titleOfJob } from './server-jobs.sql.ts';

/** Input of cancelServerJob. */
export interface ServerJobTarget {
  readonly id: string;
  /** Of the entry in the audit log. */
  readonly actionId: string;
}

/** The job of any channel that is cancelled, locked. */
export const SERVER_JOB_TARGET: CommandTarget<ServerJobTarget> = {
  field: 'id',
  from: (s) => `join transcode_jobs j on j.id = ${s.value(({ id }) => id, 'uuid')} for update of j`,
  columns: (s) => ({ id: 'j.id', status: 'j.status', operator_id: `${s.viewer}.account_id`, title: titleOfJob('j') }),
};

/** Cancels the job as its channel would, and notes it. */
export function serverJobWrites(s: CommandScope<ServerJobTarget>) {
  return {
    ...cancelJobWrites(s),
    noted: `
    insert into operator_actions (id, at, operator_id, operator_name, action, subject)
    select ${s.value(({ actionId }) => actionId, 'uuid')}, ${s.now}, o.id, o.username, 'JOB_CANCELLED',
      left(t.title, 200)
    from cancelled j join permitted t on t.id = j.id join accounts o on o.id = t.operator_id`,
  };
}

/** A job that an operator wants to start again. */
export interface EndedServerJob {
  readonly contentId: ContentId;
  readonly title: string;
  readonly status: string;
  readonly purpose: JobPurpose;
  /** Whether its file arrived. */
  readonly hasVideo: boolean;
}

const FIND = sql(
  'find_server_job',
  `select j.content_id as "contentId", ${titleOfJob('j')} as title, j.status, j.purpose,
     j.video_asset_id is not null as "hasVideo"
   from transcode_jobs j where j.id = $1`,
);

export function findServerJob(tx: Executor, id: string): Promise<EndedServerJob | null> {
  return tx.first<EndedServerJob>(FIND, [id]);
}
