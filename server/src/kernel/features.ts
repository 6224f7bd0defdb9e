import { AppError } from './errors.ts';
import { type Text, t } from './languages/message.ts';

interface Feature {
  readonly about: string;
  /** Mutations that are refused while it is switched off. */
  readonly mutations: readonly string[];
}

/**
 * What operators can switch off. What exists stays; only what these mutations would add or start is refused. What
 * arguments, addresses and consumers of events begin is refused where they are handled.
 */
export const FEATURES = {
  COMMENTS: {
    about: 'Writing comments.',
    mutations: ['createComment', 'createCommentByLrn'],
  },
  CHANNELS: { about: 'Creating additional channels.', mutations: ['createChannel'] },
  YOUTUBE: {
    about: 'Importing from YouTube, and publishing there.',
    mutations: [
      'createContentFromYouTube',
      'importYouTubeAndPublish',
      'importYouTubeLibrary',
      'publishContentToYouTube',
    ],
  },
  DATA_EXPORTS: { about: 'Exporting data in bulk.', mutations: ['exportData'] },
  DOWNLOADS: {
    about: 'Downloads by viewers, whatever Content.allowDownload says; members of the channel can still download.',
    mutations: [],
  },
  AUTOMATIC_CAPTIONS: {
    about: 'Captions from speech, and translations of captions.',
    mutations: ['transcribeContent', 'translateCaptions'],
  },
  ENHANCEMENT: {
    about: 'Upscaling and upmixing videos, also by the argument `enhance`.',
    mutations: ['upscaleContent', 'upmixContent'],
  },
} as const satisfies Record<string, Feature>;

const SWITCHED_OFF: Readonly<Record<FeatureName, Text>> = {
  COMMENTS: t`Comments are switched off on this server.`,
  CHANNELS: t`Additional channels are switched off on this server.`,
  YOUTUBE: t`Imports from YouTube and publishing there are switched off on this server.`,
  DATA_EXPORTS: t`Data exports are switched off on this server.`,
  DOWNLOADS: t`Downloads are switched off on this server.`,
  AUTOMATIC_CAPTIONS: t`Automatic captions are switched off on this server.`,
  ENHANCEMENT: t`Enhancements are switched off on this server.`,
};

export type FeatureName = keyof typeof FEATURES;
export const FEATURE_NAMES = Object.keys(FEATURES) as FeatureName[]; // the keys of the table

/** The features that are switched off at present. */
export type SwitchedOff = () => readonly FeatureName[];

const OF_MUTATION: ReadonlyMap<string, FeatureName> = new Map(
  FEATURE_NAMES.flatMap((feature) => FEATURES[feature].mutations.map((mutation) => [mutation, feature] as const)),
);

/** Throws UNAUTHORIZED for a mutation of a feature that is switched off. */
export function requireFeatureOf(mutation: string, switchedOff: readonly FeatureName[]): void {
  const feature = OF_MUTATION.get(mutation);
  if (feature !== undefined) requireFeature(feature, switchedOff);
}

/** Throws UNAUTHORIZED while a feature is switched off. */
export function requireFeature(feature: FeatureName, switchedOff: readonly FeatureName[]): void {
  if (!switchedOff.includes(feature)) return;
  throw new AppError('UNAUTHORIZED', SWITCHED_OFF[feature], {
    suggestedFix: t`Ask an operator of the server; instance.featuresOff lists what is switched off.`,
  });
}
