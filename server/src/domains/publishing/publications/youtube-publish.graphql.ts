import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import { publications } from '../../../kernel/key-budgets.ts';
import { ERROR_FIELD, kindOfContent } from '../../assets/index.ts';
import { CONTENT_CHANGE, contentDid, readContentId } from '../../catalog/index.ts';
import { isMember, requireAccount } from '../../channels/index.ts';
import { requireYouTube } from '../services.ts';
import { siteVideoUrl } from '../site/site-addresses.ts';
import type { YouTubeEnums } from '../site/youtube-enums.graphql.ts';
import { publishContentToYouTube } from './publish-content-to-youtube.ts';

const STATUSES = {
  PENDING: 'Waiting for a worker, or for quota on YouTube.',
  UPLOADING: 'The file is being uploaded.',
  PROCESSING: 'YouTube is processing the file.',
  COMPLETE: 'The video can be watched on YouTube, as far as its privacy status allows.',
  ERROR: 'It could not be published; see error.',
} as const;
const described = <Name extends string>(values: Readonly<Record<Name, string>>) =>
  Object.fromEntries(Object.entries<string>(values).map(([name, description]) => [name, { description }])) as Record<
    Name,
    { description: string }
  >; // fromEntries widens the keys

interface Types {
  readonly Node: EntityRef;
  readonly Content: EntityRef;
  readonly enums: YouTubeEnums;
}

/** Declares YouTubePublishJob, its mutation and query, and the latest one on Content. */
export function declareYouTubePublishing(
  graph: Graph,
  { Node, Content, enums: { YouTubePrivacyStatus } }: Types,
): void {
  const YouTubePublishJob = declareJob(graph, Node, YouTubePrivacyStatus);
  graph.extend(Content, (f) => ({
    youtubePublishJob: f.one({
      type: YouTubePublishJob,
      nullable: true,
      description:
        'Its latest publication on YouTube; null if there was none, and unless the viewer is a member of the channel.',
      on: (child, s) => `${child}.content_id = ${s.t}.id and ${isMember(s, `${s.t}.channel_id`)}`,
      first: { by: (child) => [`${child}.created_at`, `${child}.id`] },
    }),
  }));
  graph.queryOne('youtubePublishJob', {
    access: 'content:read',
    type: YouTubePublishJob,
    description: 'A publication on YouTube by its id, for members of the channel of its content.',
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the publication.' }) }),
    on: (child, s, args) =>
      `${child}.id = ${args.id('id', ['youtubePublishJob'])} and ${isMember(s, `${child}.channel_id`)}`,
    missing: { field: 'id' },
  });
  graph.mutation('publishContentToYouTube', {
    access: 'content:publish',
    policies: [CONTENT_CHANGE],
    charges: () => publications(1),
    description:
      'Uploads the video of a content of yours to the YouTube channel that is connected to this ' +
      'account, with its title, summary and keywords. It runs in the background; youtubePublishJob ' +
      'returns its progress. Repeating it during the upload returns the same job.',
    type: YouTubePublishJob,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      privacyStatus: t.field({
        type: YouTubePrivacyStatus,
        description: 'Who may watch it on YouTube; default PRIVATE.',
      }),
    }),
    command: (context, { id, privacyStatus }) =>
      publishContentToYouTube(requireYouTube(context.services.publishing).publications, {
        content: readContentId(context, id, 'id'),
        accountId: requireAccount(context).accountId,
        viewer: context.scope,
        privacyStatus: privacyStatus ?? 'PRIVATE',
      }),
  });
}

function declareJob(graph: Graph, Node: EntityRef, YouTubePrivacyStatus: { readonly name: string }): EntityRef {
  const YouTubePublishStatus = graph.builder.enumType('YouTubePublishStatus', {
    description: 'State of a publication on YouTube.',
    values: described(STATUSES),
  });
  return graph.entity('YouTubePublishJob', {
    description: 'A publication of a content on YouTube.',
    table: 'youtube_publish_jobs',
    interfaces: [Node],
    node: { kinds: ['youtubePublishJob'], where: (child, s) => isMember(s, `${child}.channel_id`) },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the publication.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('youtubePublishJob', id),
      }),
      contentId: f.column({
        type: 'DID',
        description: 'Id of the content.',
        sql: (s) => [kindOfContent(`${s.t}.content_id`), `${s.t}.content_id`],
        read: (columns: [ContentKind, string], env) => contentDid(columns, env),
      }),
      status: f.column({ type: YouTubePublishStatus, description: 'Current state.', sql: (s) => `${s.t}.status` }),
      progress: f.column({
        type: 'Int',
        description: 'Progress in percent, 0 to 100: the upload counts as 80, processing by YouTube as the rest.',
        sql: (s) => `${s.t}.progress`,
      }),
      privacyStatus: f.column({
        type: YouTubePrivacyStatus,
        description: 'The requested privacy status.',
        sql: (s) => `${s.t}.privacy_status`,
      }),
      youtubeVideoId: f.column({
        type: 'String',
        nullable: true,
        description: 'Id of the video on YouTube; null until the file has arrived there.',
        sql: (s) => `${s.t}.youtube_video_id`,
      }),
      youtubeUrl: f.column({
        type: 'URL',
        nullable: true,
        description: 'Address of the video on YouTube; null until the file has arrived there.',
        sql: (s) => `${s.t}.youtube_video_id`,
        read: ([id]: [string | null]) => (id === null ? null : siteVideoUrl(id)),
      }),
      error: f.column({
        description: 'Why it failed and how to fix it, in a sentence or two; null otherwise.',
        ...ERROR_FIELD,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was requested.', sql: (s) => `${s.t}.created_at` }),
      finishedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it ended.',
        sql: (s) => `${s.t}.finished_at`,
      }),
    }),
  });
}
