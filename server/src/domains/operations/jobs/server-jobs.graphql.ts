import { type ArgBuilder, countRows, type EntityRef, type Graph } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { type AssetTypes, ERROR_FIELD, kindOfContent } from '../../assets/index.ts';
import { MOST_COUNTED } from '../most-counted.ts';
import { cancelServerJob, SERVER_JOB_KINDS } from './cancel-server-job.ts';
import { JOB_PURPOSES } from './job-purposes.ts';
import { retryJob } from './retry-job.ts';
import { administeredJobs, titleOfJob } from './server-jobs.sql.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
  readonly enums: Pick<AssetTypes['enums'], 'TranscodeJobStatus'>;
}

/** Declares the jobs of all channels, as operators see and change them. */
export function declareServerJobs(graph: Graph, { Node, Channel, enums }: Types): void {
  const Purpose = graph.builder.enumType('JobPurpose', {
    description: 'What a job is for.',
    values: Object.fromEntries(
      Object.entries(JOB_PURPOSES).map(([purpose, description]) => [purpose, { description }]),
    ),
  });
  const ServerJob = declareServerJob(graph, { Node, Channel, enums }, Purpose);
  graph.queryConnection('serverJobs', {
    access: 'server:read',
    type: ServerJob,
    description:
      `Jobs of the videos of all channels, newest first; totalCount counts at most ${MOST_COUNTED}. ` +
      'For signed-in operators.',
    args: (t) => ({
      status: t.field({ type: enums.TranscodeJobStatus, description: 'Only jobs in this state.' }),
      purpose: t.field({ type: Purpose, description: 'Only jobs for this.' }),
      channel: t.field({ type: 'DID', description: 'Id of a channel: only its jobs.' }),
    }),
    where: administeredJobs,
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: (s, args) => countRows('transcode_jobs', (row) => administeredJobs(row, s, args), MOST_COUNTED),
  });
  const id = 'Id of the job, as operators or members of its channel know it.';
  graph.mutation('retryServerJob', {
    access: 'job:administer',
    description:
      'Processes the last uploaded video of a content again, for which a job failed or was cancelled, and returns ' +
      'the new job. While another job processes it, that one is returned. For signed-in operators.',
    payload: (f) => ({ job: f.read({ type: ServerJob, description: 'The job.' }) }),
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: id }) }),
    command: (context, { id: did }) => retryJob(context, context.parseDid(did, SERVER_JOB_KINDS, 'id').id),
  });
  graph.mutation('cancelServerJob', {
    access: 'job:administer',
    description:
      'Cancels a job in any channel, as cancelJob does for members of the channel. Idempotent. For signed-in ' +
      'operators.',
    payload: (f) => ({ job: f.read({ type: ServerJob, description: 'The job.' }) }),
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: id }) }),
    statement: cancelServerJob,
  });
}

function declareServerJob(
  graph: Graph,
  { Node, Channel, enums }: Types,
  Purpose: ReturnType<Graph['builder']['enumType']>,
): EntityRef {
  return graph.entity('ServerJob', {
    description: 'A job of a video, as operators of the server see it.',
    table: 'transcode_jobs',
    interfaces: [Node],
    node: { kinds: ['serverJob'], where: (_, s) => `${s.viewer}.is_operator` },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the job for operators; members of its channel know it by another one.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('serverJob', id),
      }),
      status: f.column({ type: enums.TranscodeJobStatus, description: 'State.', sql: (s) => `${s.t}.status` }),
      purpose: f.column({ type: Purpose, description: 'What it is for.', sql: (s) => `${s.t}.purpose` }),
      progress: f.column({ type: 'Int', description: 'Progress in percent, 0 to 100.', sql: (s) => `${s.t}.progress` }),
      attempts: f.column({
        type: 'Int',
        description: 'How often a worker took it.',
        sql: (s) => `${s.t}.attempts`,
      }),
      error: f.column({
        description: 'Why it failed and how to fix it; null otherwise.',
        ...ERROR_FIELD,
      }),
      errorCode: f.column({
        type: graph.ErrorCode,
        nullable: true,
        description: 'Code of the error, as in the list of errors; null otherwise.',
        sql: (s) => `${s.t}.error_code`,
      }),
      channel: f.one({
        type: Channel,
        description: 'The channel.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      contentId: f.column({
        type: 'DID',
        description: 'Id of the content.',
        sql: (s) => [kindOfContent(`${s.t}.content_id`), `${s.t}.content_id`],
        read: ([kind, id]: [ContentKind, string], env) => env.did(CONTENT_KINDS[kind].did, id),
      }),
      contentTitle: f.column({
        type: 'String',
        description: 'Title of the content.',
        sql: (s) => titleOfJob(s.t),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      startedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When a worker first took it.',
        sql: (s) => `${s.t}.started_at`,
      }),
      finishedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it ended.',
        sql: (s) => `${s.t}.finished_at`,
      }),
    }),
  });
}
