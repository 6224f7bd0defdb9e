import type { EntityRef, Graph, RowScope } from '../../gql/index.ts';
import { isMember } from '../channels/index.ts';

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
  const listedOf = (child: string, s: RowScope) =>
    `${child}.channel_id = ${s.t}.id and ${child}.ready_at is not null and exists ` +
    `(select 1 from contents k where k.id = ${child}.content_id and k.listed)`;
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
        where: (child, s) =>
          `${child}.channel_id = ${s.t}.id and (${isMember(s, `${s.t}.id`)} or (${listedOf(child, s)}))`,
        order: newest,
        total: (s) =>
          `case when ${isMember(s, `${s.t}.id`)} then counter_value('channel:videos', ${s.t}.id)
           else (select count(*) from (select 1 from video_assets n where ${listedOf('n', s)}
             limit ${MOST_COUNTED}) counted) end`,
      }),
      images: f.connection({
        type: ImageAsset,
        description: 'Images of the channel itself, such as avatar and banner, newest first.',
        where: imagesOf,
        order: newest,
        total: (s) => `(select count(*) from image_assets n where ${imagesOf('n', s)})`,
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
  { Me, Profile }: { Me: EntityRef; Profile: EntityRef },
  { EntityMediaAssets, VideoAsset, ImageAsset }: Types,
): void {
  const owned = (child: string, s: RowScope) =>
    `${child}.channel_id in (select o.id from channels o where o.account_id = ${s.t}.account_id)`;
  const total = (scope: string) => (s: RowScope) =>
    `(select coalesce(sum(counter_value('${scope}', o.id)), 0)::bigint ` +
    `from channels o where o.account_id = ${s.t}.account_id)`;
  const AccountMedia = graph.part('AccountMedia', {
    description:
      'All files of the channels that an account owns, including the trash: the files that count as storage.',
    interfaces: [EntityMediaAssets],
    fields: (f) => ({
      videos: f.connection({
        type: VideoAsset,
        description: 'Video files, newest first.',
        where: owned,
        order: newest,
        total: total('channel:videos'),
      }),
      images: f.connection({
        type: ImageAsset,
        description: 'Images of channels and contents, newest first.',
        where: owned,
        order: newest,
        total: total('channel:images'),
      }),
    }),
  });
  graph.extend(Me, (f) => ({
    media: f.embed({ type: AccountMedia, description: 'All files of the channels you own.' }),
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
  }));
}
