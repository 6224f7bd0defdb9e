import type { EntityRef, Graph, RequestEnv } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { StoredText } from '../../../kernel/languages/message.ts';
import { type AssetTypes, playlistAddress } from '../../assets/index.ts';
import type { ContentEnums } from '../contents/content-enums.graphql.ts';
import { MOST_RECENT, recentContentSql } from './recent-content.sql.ts';

interface Parts {
  readonly assets: AssetTypes;
  readonly enums: ContentEnums;
}

/** A content of the list, as SQL returns it. */
interface RecentRow {
  readonly id: string;
  readonly kind: ContentKind;
  readonly title: string;
  readonly visibility: string;
  readonly open: boolean;
  readonly job: RecentJob | null;
}

interface RecentJob {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
  readonly deployed: boolean;
  readonly error: StoredText | null;
  readonly prefix: string | null;
  readonly submittedAt: string;
  readonly finishedAt: string | null;
}

/** Declares `recentContent` of the dashboard: the newest contents with their processing, as one short list. */
export function declareRecentContent(graph: Graph, ChannelDashboard: EntityRef, { assets, enums }: Parts): void {
  const DashboardJob = graph.object('DashboardJob', {
    description: 'The latest processing of a content in a dashboard; TranscodeJob has more.',
    fields: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the job.' }),
      status: f.value({ type: assets.enums.TranscodeJobStatus, description: 'State of the job.' }),
      progress: f.value({ type: 'Int', description: 'Progress in percent, 0 to 100.' }),
      deployed: f.value({ type: 'Boolean', description: 'Whether the result is stored and served.' }),
      finished: f.value({ type: 'Boolean', description: 'Whether it has ended.' }),
      error: f.value({ type: 'String', nullable: true, description: 'Why it failed; null otherwise.' }),
      outputUrl: f.value({
        type: 'URL',
        nullable: true,
        description: 'Absolute address of the HLS master playlist of its video; null until it is playable.',
      }),
      submittedAt: f.value({ type: 'DateTime', description: 'When it was submitted.' }),
      completedAt: f.value({
        type: 'DateTime',
        nullable: true,
        description: 'When its video was complete; null unless its status is COMPLETE.',
      }),
    }),
  });
  const DashboardContentItem = graph.object('DashboardContentItem', {
    description: 'A content in a dashboard.',
    fields: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the content.' }),
      title: f.value({ type: 'String', description: 'Its title.' }),
      visibility: f.value({ type: enums.Visibility, description: 'Its visibility once published.' }),
      processingStatus: f.value({
        type: assets.enums.TranscodeJobStatus,
        description: 'State of its latest processing; NONE if nothing was submitted.',
      }),
      transcodeJob: f.value({
        type: DashboardJob,
        nullable: true,
        description: 'Its latest processing; null if nothing was submitted.',
      }),
    }),
  });
  graph.extend(ChannelDashboard, (f) => ({
    recentContent: f.column({
      type: [DashboardContentItem],
      description: `The newest contents in every state, at most ${MOST_RECENT}; latestContents pages through all.`,
      cost: [{ points: MOST_RECENT }],
      sql: (s) => recentContentSql(`${s.t}.id`),
      read: ([rows]: [readonly RecentRow[]], env) => rows.map((row) => itemOf(row, env)),
    }),
  }));
}

function itemOf({ id, kind, title, visibility, open, job }: RecentRow, env: RequestEnv): Record<string, unknown> {
  return {
    id: env.did(CONTENT_KINDS[kind].did, id),
    title,
    visibility,
    processingStatus: job?.status ?? 'NONE',
    transcodeJob: job && jobOf(job, open, env),
  };
}

function jobOf(job: RecentJob, open: boolean, env: RequestEnv): Record<string, unknown> {
  const { status, progress, deployed, error, prefix, submittedAt, finishedAt } = job;
  const ended = finishedAt === null ? null : new Date(finishedAt).toISOString();
  return {
    id: env.did('job', job.id),
    ...{ status, progress, deployed, error: error && localized(error, env.language) },
    finished: ended !== null,
    outputUrl: prefix === null ? null : playlistAddress(env, prefix, open ? 'OPEN' : 'SIGNED'),
    submittedAt: new Date(submittedAt).toISOString(),
    completedAt: status === 'COMPLETE' ? ended : null,
  };
}
