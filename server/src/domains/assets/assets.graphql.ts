import { countRows, type EntityRef, type Graph, type RowScope } from '../../gql/index.ts';
import type { AccountTypes } from '../accounts/index.ts';
import { type ChannelTypes, isMember } from '../channels/index.ts';
import { type AssetEnums, declareAssetEnums } from './asset-enums.graphql.ts';
import { type CaptionsTypes, declareCaptions, declareOutputSubtitleAssets } from './captions/captions.graphql.ts';
import { declareImageAsset, declareImageVariant } from './images/image-asset.graphql.ts';
import { declareAccountMedia, declareChannelAssets } from './owned/owned-assets.graphql.ts';
import { declareCredits } from './quota/credits.graphql.ts';
import { declareOutputAssets } from './videos/output-assets.graphql.ts';
import { declareVideoAsset } from './videos/video-asset.graphql.ts';

/** The types that higher domains use. */
export interface AssetTypes extends CaptionsTypes {
  readonly enums: AssetEnums;
  /** Of me.credits. */
  readonly Credits: EntityRef;
  readonly EntityMediaAssets: EntityRef;
  readonly VideoAsset: EntityRef;
  readonly ImageAsset: EntityRef;
  readonly OutputAssets: EntityRef;
  /** Input of a video or image to be uploaded. */
  readonly VideoInput: ReturnType<typeof declareInputs>['VideoInput'];
  readonly ImageInput: ReturnType<typeof declareInputs>['ImageInput'];
}

/** Declares files, and a channel's own images. */
export function declareAssets(
  graph: Graph,
  { channels, ...accounts }: AccountTypes & { channels: ChannelTypes },
): AssetTypes {
  const { Me } = accounts;
  const { Node, Channel } = channels;
  const enums = declareAssetEnums(graph);
  const VideoAsset = declareVideoAsset(graph, { Node, enums });
  const ImageVariant = declareImageVariant(graph, enums);
  const ImageAsset = declareImageAsset(graph, { Node, enums, ImageVariant });
  const EntityMediaAssets = graph.interface('EntityMediaAssets', {
    description: 'Files of a content, channel or playlist.',
    fields: (f) => ({
      videos: f.connection({ type: VideoAsset, description: 'Video files, newest first.' }),
      images: f.connection({ type: ImageAsset, description: 'Images, newest first.' }),
    }),
  });
  const Credits = declareCredits(graph, Me);
  declareChannelAssets(graph, Channel, { EntityMediaAssets, VideoAsset, ImageAsset });
  declareAccountMedia(graph, accounts, { ImageAsset });
  const inputs = declareInputs(graph, enums);
  const OutputAssets = declareOutputAssets(graph, { enums, ImageVariant });
  declareOutputSubtitleAssets(graph, OutputAssets);
  return {
    ...declareCaptions(graph, { Node }),
    enums,
    Credits,
    EntityMediaAssets,
    VideoAsset,
    ImageAsset,
    OutputAssets,
    ...inputs,
  };
}

/**
 * The type of a content's `assets`, over the content's row. Non-members see only playable videos. The totals count by
 * index: a content has a handful of files.
 */
export function declareMediaAssets(graph: Graph, { EntityMediaAssets, VideoAsset, ImageAsset }: AssetTypes): EntityRef {
  const videosOf = (child: string, s: RowScope) =>
    `${child}.content_id = ${s.t}.id and (${child}.ready_at is not null or ${isMember(s, `${s.t}.channel_id`)})`;
  const imagesOf = (child: string, s: RowScope) => `${child}.content_id = ${s.t}.id`;
  const newest = (child: string) => [`${child}.created_at`, `${child}.id`];
  return graph.part('MediaAssets', {
    description: 'Files of a content.',
    interfaces: [EntityMediaAssets],
    fields: (f) => ({
      videos: f.connection({
        type: VideoAsset,
        description: 'Video files, newest first; others than members of the channel see only playable ones.',
        where: videosOf,
        order: newest,
        total: (s) => countRows('video_assets', (row) => videosOf(row, s)),
        owner: 'content',
      }),
      images: f.connection({
        type: ImageAsset,
        description: 'Images, newest first.',
        where: imagesOf,
        order: newest,
        total: (s) => countRows('image_assets', (row) => imagesOf(row, s)),
        owner: 'content',
      }),
    }),
  });
}

function declareInputs(graph: Graph, enums: AssetEnums) {
  const VideoInput = graph.builder.inputType('VideoInput', {
    description: 'A video to upload.',
    fields: (t) => ({
      hint: t.field({
        type: enums.VideoPresentationHint,
        required: true,
        description: 'How the video is projected or framed; NONE for a flat one.',
      }),
    }),
  });
  const ImageInput = graph.builder.inputType('ImageInput', {
    description: 'An image to upload.',
    fields: (t) => ({
      hint: t.field({ type: enums.ImagePresentationHint, required: true, description: 'What it is for.' }),
      alt: t.string({ description: 'Alternative text, at most 300 characters.' }),
    }),
  });
  return { VideoInput, ImageInput };
}
