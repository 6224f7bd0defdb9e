import { countRows, type EntityRef, type Graph, type RowScope } from '../../../gql/index.ts';
import { CONTENT_KIND_NAMES, type ContentKind } from '../../../kernel/content-kinds.ts';
import { type ChannelTypes, mayInChannel } from '../../channels/index.ts';
import type { MediaTypes } from '../../ingest/index.ts';
import { isOrderedJob } from '../../transcode/index.ts';
import { countersByScope } from '../contents/content-counters.sql.ts';
import type { ContentEnums } from '../contents/content-enums.graphql.ts';
import { CONTENT_STATUSES, type ContentStatus } from '../contents/lifecycle.ts';
import { declareRecentContent } from './recent-content.graphql.ts';

interface Parts {
  readonly channels: ChannelTypes;
  readonly assets: MediaTypes;
  readonly enums: ContentEnums;
  readonly Content: EntityRef;
}

/** The states in the index transcode_jobs_running. */
const runningOf = (job: string, s: RowScope) =>
  `${job}.channel_id = ${s.t}.id and ${job}.status in ('QUEUED', 'TRANSCODING', 'CANCELLING') and ${isOrderedJob(job)}`;
/** Not published yet; a past release is due within seconds. */
const scheduledOf = (content: string, s: RowScope) =>
  `${content}.channel_id = ${s.t}.id and ${content}.status <> 'PUBLISHED' and ${content}.deleted_at is null ` +
  `and ${content}.release_at > ${s.param((env) => env.nowIso, 'timestamptz')}`;
const newest = (child: string) => [`${child}.created_at`, `${child}.id`];

/** Declares channelDashboard, the overview for members of a channel. Higher domains add their numbers. */
export function declareChannelDashboard(graph: Graph, parts: Parts): EntityRef {
  const ChannelDashboard = graph.entity('ChannelDashboardResult', {
    description: 'Overview of a channel for its members: contents, storage, and latest activity.',
    table: 'channels',
    fields: (f) => ({
      channel: f.one({
        type: parts.channels.Channel,
        description: 'The channel.',
        on: (child, s) => `${child}.id = ${s.t}.id`,
      }),
    }),
  });
  declareAmounts(graph, ChannelDashboard, parts);
  declareRecent(graph, ChannelDashboard, parts);
  declareRecentContent(graph, ChannelDashboard, parts);
  const GetChannelDashboardInput = graph.builder.inputType('GetChannelDashboardInput', {
    description: 'Which dashboard to read.',
    fields: (t) => ({
      channel: t.field({
        type: 'DID',
        description: "Id of a channel you are a member of; default: the account's own channel.",
      }),
    }),
  });
  graph.queryOne('channelDashboard', {
    access: 'analytics:read',
    type: ChannelDashboard,
    description: 'The dashboard of a channel, for its members; for others the channel does not exist.',
    args: (t) => ({
      input: t.field({ type: GetChannelDashboardInput, description: "The channel; default: the account's own one." }),
    }),
    on: (child, s, args) =>
      `${child}.id = ` +
      `${args.given('input.channel') ? args.id('input.channel', ['channel']) : `${s.viewer}.channel_id`} ` +
      `and ${mayInChannel(s, `${child}.id`, 'analytics:read')}`,
    missing: { field: 'input.channel' },
  });
  return ChannelDashboard;
}

/** The totals, all from counters. */
function declareAmounts(graph: Graph, ChannelDashboard: EntityRef, { enums }: Parts): void {
  const ContentAmount = graph.object('ContentAmount', {
    description: 'Number of contents of a kind in a state.',
    fields: (f) => ({
      kind: f.value({ type: enums.ContentKind, description: 'Their kind.' }),
      status: f.value({ type: enums.ContentStatus, description: 'Their state.' }),
      count: f.value({ type: 'Int', description: 'Number of contents, at least one.' }),
    }),
  });
  const ChannelStorage = graph.object('ChannelStorage', {
    description: "Storage of a channel. It counts for its owner's plan: me.credits has the limits.",
    fields: (f) => ({
      usedBytes: f.value({
        type: 'BigInt',
        description: 'Bytes of original videos and image files, and the size of open uploads.',
      }),
      derivedBytes: f.value({
        type: 'BigInt',
        description: 'Bytes of files derived from the videos: streams, downloads and previews.',
      }),
      totalBytes: f.value({ type: 'BigInt', description: 'usedBytes and derivedBytes together.' }),
      derivedFiles: f.value({ type: 'Int', description: 'Number of derived files.' }),
      videos: f.value({ type: 'Int', description: 'Video files.' }),
      images: f.value({ type: 'Int', description: 'Images of the channel and its contents.' }),
    }),
  });
  const counter = (scope: string) => (s: RowScope) => `counter_value('${scope}', ${s.t}.id)`;
  graph.extend(ChannelDashboard, (f) => ({
    contentCount: f.column({
      type: 'Int',
      description: 'Contents in every state, without the trash.',
      sql: counter('channel:contents'),
    }),
    trashCount: f.column({
      type: 'Int',
      description: 'Deleted contents that can still be restored, as in channel.trash.',
      sql: counter('channel:trash'),
    }),
    contents: f.column({
      type: [ContentAmount],
      description: 'Number of contents of each kind in each state, in the order of the enums, without the trash.',
      sql: (s) =>
        countersByScope(
          SCOPES.map(({ scope }) => scope),
          `${s.t}.id`,
        ),
      read: ([counts]: [Readonly<Record<string, number>>]) =>
        SCOPES.flatMap(({ scope, kind, status }) => {
          const count = counts[scope] ?? 0;
          return count > 0 ? [{ kind, status, count }] : [];
        }),
    }),
    storage: f.column({
      type: ChannelStorage,
      description: 'Storage of the channel.',
      sql: (s) =>
        ['storage', 'derived-bytes', 'derived-files', 'videos', 'images'].map((of) => counter(`channel:${of}`)(s)),
      read: ([usedBytes, derivedBytes, derivedFiles, videos, images]: [number, number, number, number, number]) => ({
        ...{ usedBytes, derivedBytes, totalBytes: usedBytes + derivedBytes },
        ...{ derivedFiles, videos, images },
      }),
    }),
  }));
}

/** The counters of a channel's contents. */
const SCOPES: readonly { readonly scope: string; readonly kind: ContentKind; readonly status: ContentStatus }[] =
  CONTENT_KIND_NAMES.flatMap((kind) =>
    CONTENT_STATUSES.map((status) => ({ scope: `channel:${kind}:${status}`, kind, status })),
  );

/** Recent and running activity. */
function declareRecent(graph: Graph, ChannelDashboard: EntityRef, { assets, Content }: Parts): void {
  graph.extend(ChannelDashboard, (f) => ({
    latestContents: f.connection({
      type: Content,
      description: 'All contents in every state, newest first.',
      where: (child, s) => `${child}.channel_id = ${s.t}.id and ${child}.deleted_at is null`,
      order: newest,
      total: (s) => `counter_value('channel:contents', ${s.t}.id)`,
      defaultSize: 5,
    }),
    scheduledContents: f.connection({
      type: Content,
      description: 'Contents that will be published at a time, next ones first.',
      where: scheduledOf,
      order: { by: (child) => [`${child}.release_at`, `${child}.id`], direction: 'asc' },
      total: (s) => countRows('contents', (row) => scheduledOf(row, s)),
      defaultSize: 5,
    }),
    recentUploads: f.connection({
      type: assets.IngestionSession,
      nullable: true,
      description:
        'Uploads, newest first; null for members who may not upload, because the address of an upload is a permission.',
      where: (child, s) => `${child}.channel_id = ${s.t}.id and not ${child}.is_partial`,
      order: newest,
      total: (s) => `counter_value('channel:ingestions', ${s.t}.id)`,
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'asset:upload'),
      defaultSize: 5,
    }),
    runningJobs: f.connection({
      type: assets.TranscodeJob,
      description: 'Waiting and running jobs, latest first.',
      where: runningOf,
      order: newest,
      total: (s) => countRows('transcode_jobs', (row) => runningOf(row, s)),
      defaultSize: 5,
    }),
  }));
}
