import { countRows, type EntityRef, type Graph, type RowScope } from '../../../gql/index.ts';
import {
  avatarKeyOf,
  countOfOwnedChannels,
  isOfOwnedChannel,
  isVideoOfChannel,
  videosOfChannel,
} from './owned-assets.sql.ts';
import { declareUserImage, declareUserVideo } from './owned-files.graphql.ts';

const newest = (child: string) => [`${child}.created_at`, `${child}.id`];
/** Count limit for lists of a channel's videos that other accounts see. */
const MOST_COUNTED = 10_000;

interface Types {
  readonly EntityMediaAssets: EntityRef;
  readonly VideoAsset: EntityRef;
  readonly ImageAsset: EntityRef;
}

/** Declares the files of a channel: its own images, and the videos of its contents. */
export function declareChannelAssets(
  graph: Graph,
  Channel: EntityRef,
  { EntityMediaAssets, VideoAsset, ImageAsset }: Types,
): void {
  const imagesOf = (child: string, s: RowScope) =>
    `${child}.channel_id = ${s.t}.id and ${child}.content_id is null and ${child}.playlist_id is null`;
  const ChannelAssets = graph.part('ChannelAssets', {
    description: "A channel's own images, and the videos of its contents.",
    interfaces: [EntityMediaAssets],
    fields: (f) => ({
      videos: f.connection({
        type: VideoAsset,
        description:
          `Videos of the channel's contents, newest first. Members of the channel see all ` +
          'of them, including the trash; others those of published, public contents, of ' +
          `which at most ${MOST_COUNTED.toLocaleString('en')} are counted.`,
        where: (child, s) => isVideoOfChannel(child, `${s.t}.id`, s),
        order: newest,
        total: (s) => videosOfChannel(`${s.t}.id`, s, MOST_COUNTED),
      }),
      images: f.connection({
        type: ImageAsset,
        description: 'Images of the channel itself, such as avatar and banner, newest first.',
        where: imagesOf,
        order: newest,
        total: (s) => countRows('image_assets', (row) => imagesOf(row, s)),
        owner: 'channel',
      }),
    }),
  });
  graph.extend(Channel, (f) => ({
    assets: f.embed({ type: ChannelAssets, description: "The channel's own images, and the videos of its contents." }),
  }));
}

/** Declares the files of an account: `me.media`, and the avatar of its profile. */
export function declareAccountMedia(
  graph: Graph,
  { Me, Profile }: Record<'Me' | 'Profile', EntityRef>,
  { ImageAsset }: Pick<Types, 'ImageAsset'>,
): void {
  const owned = (child: string, s: RowScope) => isOfOwnedChannel(child, `${s.t}.account_id`, s);
  const total = (table: string, scope: string) => (s: RowScope) =>
    countOfOwnedChannels(table, scope, `${s.t}.account_id`, s);
  const [UserVideo, UserImage] = [declareUserVideo(graph), declareUserImage(graph)];
  const UserMedia = graph.part('UserMedia', {
    description:
      'All files of the channels that an account owns, including the trash: the files that count as storage.',
    fields: (f) => ({
      videos: f.connection({
        type: UserVideo,
        description: 'Video files, newest first.',
        where: owned,
        order: newest,
        total: total('video_assets', 'channel:videos'),
      }),
      images: f.connection({
        type: UserImage,
        description: 'Images of channels and contents, newest first.',
        where: owned,
        order: newest,
        total: total('image_assets', 'channel:images'),
      }),
    }),
  });
  graph.extend(Me, (f) => ({
    media: f.embed({ type: UserMedia, description: 'All files of the channels you own.' }),
  }));
  graph.extend(Profile, (f) => ({
    avatar: f.one({
      type: ImageAsset,
      nullable: true,
      description: "The avatar of the account's own channel; null if it has none.",
      on: (child, s) =>
        `${child}.channel_id = ${s.t}.primary_channel_id and ${child}.content_id is null ` +
        `and ${child}.playlist_id is null and ${child}.purpose = 'AVATAR'`,
      first: { by: newest },
    }),
    avatarUrl: f.column({
      type: 'URL',
      nullable: true,
      description: "Address of the avatar of the account's own channel; null if it has none.",
      sql: (s) => avatarKeyOf(`${s.t}.primary_channel_id`),
      read: ([key]: [string | null], env) =>
        key === null ? null : env.services.assets.mediaAddress(key, 'OPEN', env.nowMs),
    }),
  }));
}
