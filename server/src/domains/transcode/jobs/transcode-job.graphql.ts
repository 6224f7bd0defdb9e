import type { EntityRef, FieldFactory, Graph } from '../../../gql/index.ts';
import {
  type AssetEnums,
  ERROR_FIELD,
  isOpenContent,
  MASTER_PLAYLIST,
  type MediaPermission,
  mediaPermission,
  packageAddress,
  playableManifest,
} from '../../assets/index.ts';
import { isMember } from '../../channels/index.ts';
import { declareJobInterruption, describeInterruption, type StoredInterruption } from './interruption.graphql.ts';
import { interruptionOf, JOB_KINDS, kindOfJob, remainingMsOf } from './jobs.sql.ts';

/** Declares TranscodeJob. */
export function declareTranscodeJob(graph: Graph, { Node, enums }: { Node: EntityRef; enums: AssetEnums }): EntityRef {
  const JobInterruption = declareJobInterruption(graph);
  const TranscodeJobKind = graph.builder.enumType('TranscodeJobKind', {
    description: 'What a job does.',
    values: Object.fromEntries(Object.entries(JOB_KINDS).map(([kind, description]) => [kind, { description }])),
  });
  return graph.entity('TranscodeJob', {
    description: 'Work on the video of a content: its processing, or what is added to it.',
    table: 'transcode_jobs',
    interfaces: [Node],
    node: { kinds: ['job'], where: (child, s) => isMember(s, `${child}.channel_id`) },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the job.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('job', id),
      }),
      kind: f.column({ type: TranscodeJobKind, description: 'What it does.', sql: (s) => kindOfJob(s.t) }),
      ...progressFields(f, enums),
      deployed: f.column({
        type: 'Boolean',
        description: 'Whether the result is stored and served.',
        sql: (s) => `${s.t}.deployed`,
      }),
      error: f.column({
        description: 'Why it failed and how to fix it, in a sentence or two; null otherwise.',
        ...ERROR_FIELD,
      }),
      interruption: f.column({
        type: JobInterruption,
        nullable: true,
        description: 'How it was interrupted; null for jobs that were not, and that have ended.',
        sql: (s) => interruptionOf(s.t),
        read: ([stored]: [StoredInterruption | null], env) => stored && describeInterruption(stored, env.language),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      outputUrl: f.column({
        type: 'URL',
        nullable: true,
        description: 'Absolute address of the HLS master playlist of its video; null until it is playable.',
        sql: (s) => [
          playableManifest(`${s.t}.video_asset_id`),
          mediaPermission(`${s.t}.content_id`, s, isOpenContent(`${s.t}.content_id`)),
        ],
        read: ([prefix, permission]: [string | null, MediaPermission], env) =>
          packageAddress(env, prefix, permission, MASTER_PLAYLIST),
      }),
      ...endFields(f),
    }),
  });
}

/** How far it is. */
function progressFields(f: FieldFactory, enums: AssetEnums) {
  return {
    status: f.column({
      type: enums.TranscodeJobStatus,
      description: 'State of the job.',
      sql: (s) => `${s.t}.status`,
    }),
    progress: f.column({ type: 'Int', description: 'Progress in percent, 0 to 100.', sql: (s) => `${s.t}.progress` }),
    remainingMs: f.column({
      type: 'BigInt',
      nullable: true,
      description:
        'Estimated milliseconds until it ends, from the measured speed of this server and the videos before it; ' +
        'null until its file was inspected, and when it has ended.',
      sql: (s) => remainingMsOf(s.t),
      read: ([ms]: [number | null]) => (ms === null ? null : Math.ceil(ms)),
    }),
  };
}

/** When it was submitted, started and ended. */
function endFields(f: FieldFactory) {
  return {
    finished: f.column({
      type: 'Boolean',
      description: 'Whether it has ended: COMPLETE, ERROR or CANCELLED.',
      sql: (s) => `${s.t}.finished_at is not null`,
    }),
    submittedAt: f.column({
      type: 'DateTime',
      description: 'When it was submitted: the same as createdAt.',
      sql: (s) => `${s.t}.created_at`,
    }),
    completedAt: f.column({
      type: 'DateTime',
      nullable: true,
      description: 'When its video was complete; null unless its status is COMPLETE.',
      sql: (s) => [`${s.t}.status`, `${s.t}.finished_at`],
      read: ([status, endedAt]: [string, string | null]) =>
        status === 'COMPLETE' && endedAt !== null ? new Date(endedAt).toISOString() : null,
    }),
    startedAt: f.column({
      type: 'DateTime',
      nullable: true,
      description: 'When a worker first started it.',
      sql: (s) => `${s.t}.started_at`,
    }),
    finishedAt: f.column({
      type: 'DateTime',
      nullable: true,
      description: 'When it ended.',
      sql: (s) => `${s.t}.finished_at`,
    }),
  };
}
