import type { CommandScope } from '../../gql/index.ts';
import { isMember, mayInChannel } from '../channels/index.ts';
import { BROKEN_OFF } from './transcode-jobs.store.ts';

const V = { viewer: 'v' } as const;

/** What cancelJob knows after reading its input. */
export interface JobTarget {
  readonly id: string;
}

/** All null where there is no such job. */
export const JOB_FACTS = {
  member: 'select member from target',
  may: 'select may from target',
  status: 'select status from target',
} as const;

/**
 * Cancels a job that has not ended. One that a worker has in hand becomes CANCELLING, which the worker sees within a second; it stops, removes
 * what it stored and makes it CANCELLED. Any other is CANCELLED at once: then a file that is being fetched for it is deleted an
 * hour later, when whoever fetches has certainly stopped, and an upload it waits for does not start another.
 */
export function cancelJobCtes(s: CommandScope<JobTarget>) {
  return {
    target: `
    select j.id, j.status, ${isMember(V, 'j.channel_id')} as member, ${mayInChannel(V, 'j.channel_id', 'content:update')} as may
    from ${s.allowed} v join transcode_jobs j on j.id = ${s.value(({ id }) => id, 'uuid')}
    for update of j`,
    cancelled: `
    update transcode_jobs j set
      status = case when j.status = 'TRANSCODING' then 'CANCELLING' else 'CANCELLED' end,
      finished_at = case when j.status = 'TRANSCODING' then null else ${s.now} end
    from target t where j.id = t.id and t.may and t.status in ('IDLE', 'QUEUED', 'TRANSCODING')
    returning j.*`,
    content: BROKEN_OFF,
    upload: `
    update ingestions i set auto_process = false from cancelled j join target t on t.id = j.id
    where t.status = 'IDLE' and i.content_id = j.content_id and i.state = 'OPEN'`,
    fetched: `
    insert into object_purges (key_prefix, due_at)
    select 'sources/' || id, ${s.now} + interval '1 hour' from cancelled where status = 'CANCELLED' and video_asset_id is null`,
    event: `
    insert into events (type, channel_id, subject_id, payload)
    select 'job.updated', channel_id, id, jsonb_build_object('contentId', content_id, 'status', status) from cancelled`,
  };
}
