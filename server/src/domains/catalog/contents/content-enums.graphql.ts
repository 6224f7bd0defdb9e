import type { Graph } from '../../../gql/index.ts';
import { CONTENT_KIND_NAMES, CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import type { AdHint, ContentLayout, Visibility } from './content-fields.ts';
import type { ContentType } from './content-input.ts';
import type { ContentStatus } from './lifecycle.ts';

const KINDS = Object.fromEntries(CONTENT_KIND_NAMES.map((kind) => [kind, CONTENT_KINDS[kind].is])) as Record<
  ContentKind,
  string
>; // fromEntries widens the keys
const TYPES: Readonly<Record<ContentType, string>> = {
  FEATURE: KINDS.FEATURE,
  SHORT: KINDS.SHORT,
  LIVE: KINDS.STREAM,
  SERIES: 'A series, a miniseries, or a season; a new one is a series.',
  EPISODE: 'An episode; create it with createEpisode.',
  ANY: 'Any type; a new content is a FEATURE.',
};
const AD_HINTS: Readonly<Record<AdHint, string>> = {
  NO: 'It contains no advertising.',
  MAYBE: 'It may contain advertising.',
  YES: 'It contains advertising.',
};
const CONDITIONS = {
  NONE: 'Nothing has to be bought: it plays for everyone who may see it.',
  PRODUCT: 'A purchase is required.',
  PRODUCT_OR_SUBSCRIPTION: 'A purchase or a subscription is required.',
  SUBSCRIPTION: 'A subscription is required.',
} as const;
const STATUSES: Readonly<Record<ContentStatus, string>> = {
  DRAFT: 'Has no processed video yet.',
  PROCESSING: 'A video is being fetched or processed.',
  READY: 'Can be published; waits for its release date if it is scheduled.',
  FAILED: 'The video could not be processed; see transcodeJob.error.',
  PUBLISHED: 'Visible to its audience.',
};
const VISIBILITIES: Readonly<Record<Visibility, string>> = {
  PUBLIC: 'Anyone may watch it once it is published, and it is listed.',
  UNLISTED: 'Anyone with the link may watch it once it is published; it is not listed.',
  PRIVATE: 'Only members of its channel may watch it.',
};
const STREAM_TYPES = { RECORDED: 'A recorded broadcast.' } as const;
const STREAM_AUDIENCES = {
  EVERYONE: 'Anyone; it is listed.',
  LINK_HOLDERS: 'Anyone with the link.',
  MEMBERS: 'Members of its channel.',
} as const;
const LAYOUTS: Readonly<Record<ContentLayout, string>> = {
  LANDSCAPE: 'Wider than tall.',
  PORTRAIT: 'Taller than wide.',
  VR: 'Equirectangular 360-degree video.',
};

/** Declares the enums of contents. */
export function declareContentEnums(graph: Graph) {
  const described = <Name extends string>(values: Readonly<Record<Name, string>>) =>
    Object.fromEntries(Object.entries<string>(values).map(([name, description]) => [name, { description }])) as Record<
      Name,
      { description: string }
    >; // fromEntries widens the keys
  return {
    ContentKind: graph.builder.enumType('ContentKind', { description: 'Kind of content.', values: described(KINDS) }),
    ContentType: graph.builder.enumType('ContentType', {
      description: 'Type of a content in its hints.',
      values: described(TYPES),
    }),
    ContentAdHint: graph.builder.enumType('ContentAdHint', {
      description: 'Whether a content contains advertising.',
      values: described(AD_HINTS),
    }),
    ContentCondition: graph.builder.enumType('ContentCondition', {
      description: 'What has to be bought to play a content. This platform sells nothing: always NONE.',
      values: described<keyof typeof CONDITIONS>(CONDITIONS),
    }),
    ContentStatus: graph.builder.enumType('ContentStatus', {
      description: 'State of a content.',
      values: described(STATUSES),
    }),
    Visibility: graph.builder.enumType('Visibility', {
      description: 'Visibility of a content once published.',
      values: described(VISIBILITIES),
    }),
    StreamType: graph.builder.enumType('StreamType', {
      description: 'How a stream is broadcast.',
      values: described<keyof typeof STREAM_TYPES>(STREAM_TYPES),
    }),
    StreamAudience: graph.builder.enumType('StreamAudience', {
      description: 'Access control of a stream.',
      values: described<keyof typeof STREAM_AUDIENCES>(STREAM_AUDIENCES),
    }),
    ContentLayout: graph.builder.enumType('ContentLayout', {
      description: 'Layout of a video.',
      values: described(LAYOUTS),
    }),
  };
}

export type ContentEnums = ReturnType<typeof declareContentEnums>;
