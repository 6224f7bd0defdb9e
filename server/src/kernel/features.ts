import { AppError } from './errors.ts';

interface Feature {
  /** Names it in sentences: `… are switched off`. */
  readonly name: string;
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
    name: 'Comments',
    about: 'Writing comments.',
    mutations: ['createComment', 'createCommentByLrn'],
  },
  CHANNELS: { name: 'Additional channels', about: 'Creating additional channels.', mutations: ['createChannel'] },
  YOUTUBE: {
    name: 'Imports from YouTube and publishing there',
    about: 'Importing from YouTube, and publishing there.',
    mutations: [
      'createContentFromYouTube',
      'importYouTubeAndPublish',
      'importYouTubeLibrary',
      'publishContentToYouTube',
    ],
  },
  DATA_EXPORTS: { name: 'Data exports', about: 'Exporting data in bulk.', mutations: ['exportData'] },
  DOWNLOADS: {
    name: 'Downloads',
    about: 'Downloads by viewers, whatever Content.allowDownload says; members of the channel can still download.',
    mutations: [],
  },
  AUTOMATIC_CAPTIONS: {
    name: 'Automatic captions',
    about: 'Captions from speech, and translations of captions.',
    mutations: ['transcribeContent', 'translateCaptions'],
  },
  ENHANCEMENT: {
    name: 'Enhancements',
    about: 'Upscaling and upmixing videos, also by the argument `enhance`.',
    mutations: ['upscaleContent', 'upmixContent'],
  },
} as const satisfies Record<string, Feature>;

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
  throw new AppError('UNAUTHORIZED', `${FEATURES[feature].name} are switched off on this server.`, {
    suggestedFix: 'Ask an operator of the server; instance.featuresOff lists what is switched off.',
  });
}
