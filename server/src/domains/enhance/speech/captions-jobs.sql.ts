import { errorTextOf } from '../../../platform/db/stored-text.ts';

/** Of a content, that are shown. */
const MOST_JOBS = 10;

/** SQL: the latest jobs that made captions of a content (an alias of contents) as JSON, newest first. */
export function captionJobsOf(content: string): string {
  return (
    `(select coalesce(jsonb_agg(latest.job order by latest.created_at desc, latest.id desc), '[]') from (` +
    `select j.id, j.created_at, jsonb_build_object('jobId', j.id, 'kind', k.kind, 'status', j.status, ` +
    `'progress', j.progress, 'error', ${errorTextOf('j')}, 'captionsId', k.captions_id, ` +
    `'requestedLanguage', k.language) || coalesce(k.receipt, '{}') as job ` +
    `from caption_jobs k join transcode_jobs j on j.id = k.job_id where k.content_id = ${content}.id ` +
    `order by j.created_at desc, j.id desc limit ${MOST_JOBS}) latest)`
  );
}
