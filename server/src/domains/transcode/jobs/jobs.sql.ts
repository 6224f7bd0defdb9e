import type { ArgScope } from '../../../gql/index.ts';
import { type Caller, tokenAllows } from '../../channels/index.ts';

/** SQL: whether somebody asked for a job, rather than the settings of the channel or viewers of a deleted size. */
export function isOrderedJob(job: string): string {
  return `${job}.purpose <> 'RENDITIONS'`;
}

/** What jobs do. */
export const JOB_KINDS = {
  PROCESS: 'Processes an uploaded video.',
  REPROCESS: 'Processes a video again, which is played as it was meanwhile.',
  CODEC: 'Encodes a processed video in another codec, as the settings of its channel say.',
  REBUILD: 'Encodes a size again that was deleted because nobody watched it.',
  UPMIX: 'Makes surround sound of the sound of a video.',
  UPSCALE: 'Makes the enhanced quality of a video.',
  ENHANCEMENT: 'Made an upmix or an enhanced quality, by an earlier version that did not keep which.',
  TRANSCRIPTION: 'Makes captions from the speech of a video.',
  TRANSLATION: 'Translates captions.',
} as const;

/** SQL: what a job does, one of `JOB_KINDS`. */
export function kindOfJob(job: string): string {
  const translates = `exists (select from caption_jobs k where k.job_id = ${job}.id and k.kind = 'TRANSLATION')`;
  return (
    `case ${job}.purpose when 'PROCESS' then 'PROCESS' when 'REPEAT' then 'REPROCESS' ` +
    `when 'RENDITIONS' then case when ${job}.codec is null then 'REBUILD' else 'CODEC' end ` +
    `when 'ENHANCE' then coalesce(${job}.enhancement, 'ENHANCEMENT') when 'CAPTIONS' then ` +
    `case when ${translates} then 'TRANSLATION' else 'TRANSCRIPTION' end end`
  );
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
