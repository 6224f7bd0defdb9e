import type { Graph } from '../../gql/index.ts';
import type { ContentLayout, ContentType, Visibility } from './content-input.ts';
import type { ContentStatus } from './lifecycle.ts';

const KINDS: Readonly<Record<ContentType, string>> = {
  FEATURE: 'A standalone video.',
  SHORT: 'A short portrait video.',
};
const STATUSES: Readonly<Record<ContentStatus, string>> = {
  DRAFT: 'Has no processed video yet.',
  PROCESSING: 'A video is being fetched or processed.',
  READY: 'Can be published; waits for its release date if it has one to come.',
  FAILED: 'The video could not be processed; transcodeJob.error says why.',
  PUBLISHED: 'Visible to its audience.',
};
const VISIBILITIES: Readonly<Record<Visibility, string>> = {
  PUBLIC: 'Anyone may watch it once it is published, and lists show it.',
  UNLISTED: 'Anyone who has the link may watch it once it is published; no list shows it.',
  PRIVATE: 'Only the owner may watch it.',
};
const LAYOUTS: Readonly<Record<ContentLayout, string>> = {
  LANDSCAPE: 'Wider than high.',
  PORTRAIT: 'Higher than wide.',
  VR: 'Equirectangular, to look around in.',
};

/** Declares the enums of contents. */
export function declareContentEnums(graph: Graph) {
  const described = <Name extends string>(values: Readonly<Record<Name, string>>) =>
    Object.fromEntries(Object.entries<string>(values).map(([name, description]) => [name, { description }])) as Record<
      Name,
      { description: string }
    >; // fromEntries widens the keys
  return {
    ContentKind: graph.builder.enumType('ContentKind', { description: 'What a content is.', values: described(KINDS) }),
    ContentType: graph.builder.enumType('ContentType', { description: 'What a new content is to be.', values: described(KINDS) }),
    ContentStatus: graph.builder.enumType('ContentStatus', { description: 'Where a content is in its life.', values: described(STATUSES) }),
    Visibility: graph.builder.enumType('Visibility', {
      description: 'Who may watch a content once it is published.',
      values: described(VISIBILITIES),
    }),
    ContentLayout: graph.builder.enumType('ContentLayout', { description: 'How a video is laid out.', values: described(LAYOUTS) }),
  };
}

export type ContentEnums = ReturnType<typeof declareContentEnums>;
