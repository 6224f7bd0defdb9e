import type { Graph } from '../../../gql/index.ts';

export type YouTubeEnums = ReturnType<typeof declareYouTubeEnums>;

/** Declares the enums that imports and exports share. */
export function declareYouTubeEnums(graph: Graph) {
  const YouTubePrivacyStatus = graph.builder.enumType('YouTubePrivacyStatus', {
    description: 'Privacy of a video on YouTube.',
    values: {
      PUBLIC: { description: 'Anyone, and YouTube shows it in lists.' },
      UNLISTED: { description: 'Anyone with the link.' },
      PRIVATE: { description: 'Only the YouTube account and those it invites.' },
    } as const,
  });
  return { YouTubePrivacyStatus };
}
