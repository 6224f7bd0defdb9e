import type { EntityRef, Graph } from '../../../gql/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { UPLOAD_SCOPE } from '../site/site-addresses.ts';
import { disconnectYouTube } from './connect-youtube.ts';
import { hasWorkingConnection } from './connection.sql.ts';

interface Types {
  readonly Me: EntityRef;
  readonly VerifyConnectionResult: EntityRef;
}

/** Declares the YouTube connection of an account, and disconnecting. */
export function declareYouTubeConnection(graph: Graph, { Me, VerifyConnectionResult }: Types): void {
  const YouTubeAccount = graph.entity('YouTubeAccount', {
    description: 'A connected YouTube channel.',
    table: 'youtube_connections',
    key: 'account_id',
    fields: (f) => ({
      connected: f.column({
        type: 'Boolean',
        description:
          'Whether the connection works; false once it was withdrawn at Google, until the person reconnects.',
        sql: (s) => `${s.t}.broken_at is null`,
      }),
      channelId: f.column({
        type: 'String',
        nullable: true,
        description: 'Id of the channel on YouTube.',
        sql: (s) => `${s.t}.channel_id`,
      }),
      channelTitle: f.column({
        type: 'String',
        nullable: true,
        description: 'Title of the channel on YouTube.',
        sql: (s) => `${s.t}.channel_title`,
      }),
      channelThumbnail: f.column({
        type: 'String',
        nullable: true,
        description: "Address of the channel's image.",
        sql: (s) => `${s.t}.channel_thumbnail`,
      }),
      connectedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was connected.',
        sql: (s) => `${s.t}.connected_at`,
      }),
      hasUploadScope: f.column({
        type: 'Boolean',
        description: 'Whether it allows uploads.',
        sql: (s) => `'${UPLOAD_SCOPE}' = any(${s.t}.scopes)`,
      }),
    }),
  });
  graph.extend(Me, (f) => ({
    youtube: f.one({
      type: YouTubeAccount,
      nullable: true,
      description: 'The connected YouTube channel; null if there is none. People connect it on the settings page.',
      on: (child, s) => `${child}.account_id = ${s.t}.account_id`,
    }),
  }));
  graph.extend(VerifyConnectionResult, (f) => ({
    youtubeConnected: f.column({
      type: 'Boolean',
      description: 'Whether a YouTube channel is connected and the connection works.',
      sql: (s) => hasWorkingConnection(`${s.t}.account_id`),
    }),
  }));
  graph.mutation('disconnectYouTube', {
    access: 'account:update',
    description: 'Deletes the connection to YouTube and withdraws it at Google. Imported contents stay. Idempotent.',
    payload: (f) => ({ disconnected: f.value({ type: 'Boolean', description: 'Whether there was a connection.' }) }),
    command: async (context) => {
      const { accountId } = requireAccount(context);
      return { disconnected: await disconnectYouTube(context.services.publishing, accountId) };
    },
  });
}
