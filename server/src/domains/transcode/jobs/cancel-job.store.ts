import type { CommandScope, CommandTarget } from '../../../gql/index.ts';
import { refundCharges, refundCredits } from '../../assets/index.ts';
import { channelFacts } from '../../channels/index.ts';
import { isOrderedJob } from './jobs.sql.ts';
import { BROKEN_OFF } from './transcode-jobs.store.ts';

/** Input of cancelJob. */
export interface JobTarget {
  readonly id: string;
}

/** The job that is cancelled, locked, as the viewer sees it. */
export const JOB_TARGET: CommandTarget<JobTarget> = {
  field: 'id',
  from: (s) => `join transcode_jobs j on j.id = ${s.value(({ id }) => id, 'uuid')} for update of j`,
  columns: (s) => ({
    id: 'j.id',
    status: 'j.status',
    ordered: isOrderedJob('j'),
    ...channelFacts(s, 'j.channel_id', 'content:update'),
  }),
};

/**
 * Cancels a job that has not ended. A running job becomes CANCELLING, which its worker sees within a second; the worker
 * stops, removes what it stored and sets CANCELLED. Any other is CANCELLED at once: a file that is being fetched for it
 * is deleted an hour later, when the fetch has certainly stopped, and the upload it waits for does not start another
 * job; where it was to replace a video, the upload ends.
 */
export function cancelJobWrites(s: CommandScope<JobTarget>) {
  return {
    cancelled: `
    update transcode_jobs j set
      status = case when j.status = 'TRANSCODING' then 'CANCELLING' else 'CANCELLED' end,
      finished_at = case when j.status = 'TRANSCODING' then null else ${s.now} end
    from permitted t where j.id = t.id and t.status in ('IDLE', 'QUEUED', 'TRANSCODING')
    returning j.*`,
    content: BROKEN_OFF,
    refunded: `${refundCharges('cancelled')} and cancelled.status = 'CANCELLED'`,
    refunded_credits: `${refundCredits('cancelled')} and cancelled.status = 'CANCELLED'`,
    upload: `
    update ingestions i set auto_process = false,
      expires_at = case when exists (select from video_assets v where v.content_id = i.content_id
        and v.ready_at is not null) then ${s.now} else i.expires_at end
    from cancelled j join permitted t on t.id = j.id
    where t.status = 'IDLE' and i.content_id = j.content_id and i.state = 'OPEN'`,
    fetched: `
    insert into object_purges (key_prefix, due_at)
    select 'sources/' || id, ${s.now} + interval '1 hour' from cancelled where status = 'CANCELLED'
      and video_asset_id is null`,
    event: `
    insert into events (type, channel_id, subject_id, payload)
    select 'job.updated', channel_id, id, jsonb_build_object('contentId', content_id, 'status', status) from cancelled`,
  };
}
