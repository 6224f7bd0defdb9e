import type { ArgScope } from '../../../gql/index.ts';
import { type Caller, tokenAllows } from '../../channels/index.ts';

/** SQL: whether a job is one that members of its channel see. */
export function isShownJob(job: string): string {
  return `${job}.purpose <> 'RENDITIONS'`;
}

/** SQL: whether a job processes the video of a content, rather than adding something to it. */
export function isProcessingJob(job: string): string {
  return `${job}.purpose in ('PROCESS', 'REPEAT')`;
}

/** SQL query of the channels that the viewer is a member of; only the argument `channel`, if given. */
export function channelsOfViewer(s: Caller, args: ArgScope): string {
  const one = args.given('channel') ? ` and m.channel_id = ${args.id('channel', ['channel'])}` : '';
  const own = `m.account_id = ${s.viewer}.account_id${tokenAllows(s, 'content:read')}`;
  return `select m.channel_id from channel_members m where ${own}${one}`;
}

/** SQL: the number of jobs of the channels of a query. */
export function jobsOfChannels(channels: string): string {
  return `(select coalesce(sum(counter_value('channel:jobs', own.channel_id)), 0) from (${channels}) own)::bigint`;
}

/**
 * SQL: milliseconds until a job ends whose video is being encoded, or that makes captions, by what it has done so far;
 * null for others.
 */
export function remainingMsOf(job: string): string {
  const sinceStart = `extract(epoch from now() - ${job}.started_at)::float8 * 1000`;
  return (
    `case when ${job}.status <> 'TRANSCODING' then null ` +
    `when ${job}.purpose <> 'CAPTIONS' then encode_remaining_ms(${job}.id) ` +
    `when ${job}.progress >= ${LEAST_PERCENT} then ` +
    `greatest(0, ${sinceStart}) * (100 - ${job}.progress) / ${job}.progress end`
  );
}

/** Of captions, before the rest of the time can be estimated: then the sound was decoded. */
const LEAST_PERCENT = 10;

/** SQL: how a job that has not ended was interrupted, as JSON; null where it was not. */
export function interruptionOf(job: string): string {
  return (
    `case when ${job}.status in ('QUEUED', 'TRANSCODING') then (` +
    `select jsonb_build_object('state', w.state, 'count', w.interruptions) from interrupted_work w ` +
    `where w.subject = ${job}.id order by w.state <> 'AGAIN' desc, w.interruptions desc, w.work limit 1) end`
  );
}
