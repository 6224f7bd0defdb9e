import { type ChannelEffect, type CtrModel, type CtrPrediction, compareCtr } from './ctr-model/ctr-model.ts';
import type { ContentFeatures, NumberName } from './ctr-model/features.ts';
import { checkRules } from './rule-checks.ts';

export const RECOMMENDATION_AREAS = {
  TITLE: 'The title.',
  DESCRIPTION: 'The description.',
  PICTURE: 'The picture on cards.',
} as const;
export type RecommendationArea = keyof typeof RECOMMENDATION_AREAS;

export const RECOMMENDATION_PRIORITIES = {
  HIGH: 'Do it first: what is missing makes a card hard to choose, or the change is worth a fifth of the predicted rate.',
  MEDIUM: 'Worth doing: a twentieth of the predicted rate, or it shows on every card.',
  LOW: 'A detail.',
} as const;
export type RecommendationPriority = keyof typeof RECOMMENDATION_PRIORITIES;

export interface Improvement {
  readonly area: RecommendationArea;
  readonly priority: RecommendationPriority;
  readonly suggestion: string;
  /** Percentage points of click-through rate; null where nothing measured says how many. */
  readonly estimatedImpact: number | null;
}

/** A content that may be made. */
export interface Candidate {
  readonly title: string;
  readonly description: string;
  readonly features: ContentFeatures;
  /** Null without a picture. */
  readonly picture: { readonly width: number; readonly height: number } | null;
}

/** What advice is learnt from: the model, and what it knows of the channel. */
export interface TrainedModel {
  readonly model: CtrModel;
  readonly channel: ChannelEffect | null;
}

export interface Recommendations {
  readonly strengths: readonly string[];
  /** The most urgent first. */
  readonly improvements: readonly Improvement[];
}

/**
 * Advice is given where it helps with at least this probability. The prior takes all features for alike, and where only a few matter it takes the others for more than they
 * are: in simulated platforms 37 to 74 % of all advice was for nothing at 0.8, 15 to 40 % at 0.95, 1 to 15 % at 0.98 (ADR 0041).
 */
const SURE = 0.98;
/** Percentage points are told with one decimal. */
const LEAST_POINTS = 0.1;
const RANKS: Readonly<Record<RecommendationPriority, number>> = { HIGH: 0, MEDIUM: 1, LOW: 2 };

/** What one can do about a number: where it is, and how to say which value would be better. */
interface Lever {
  readonly area: RecommendationArea;
  readonly name: string;
  /** Numbers that are yes or no have just these values. */
  readonly values?: readonly number[];
  readonly say: (better: number, now: number) => string;
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;
const moreOrLess = (more: string, less: string) => (better: number, now: number) => (better > now ? more : less);

const LEVERS: Readonly<Partial<Record<NumberName, Lever>>> = {
  titleLength: {
    area: 'TITLE',
    name: 'The length of the title',
    say: (better) => `Make the title about ${Math.round(Math.exp(better))} characters long.`,
  },
  titleDigits: {
    area: 'TITLE',
    name: 'Whether there is a number in the title',
    values: [0, 1],
    say: moreOrLess('Put a number into the title.', 'Leave numbers out of the title.'),
  },
  titleQuestion: {
    area: 'TITLE',
    name: 'Whether the title is a question',
    values: [0, 1],
    say: moreOrLess('Make the title a question.', 'Make the title a statement instead of a question.'),
  },
  titleCapitals: {
    area: 'TITLE',
    name: 'How much of the title is in capitals',
    say: (better) => `Write about ${percent(better)} of the letters of the title as capitals.`,
  },
  descriptionLength: {
    area: 'DESCRIPTION',
    name: 'The length of the description',
    say: (better) => `Make the description about ${Math.round(Math.expm1(better))} characters long.`,
  },
  brightness: {
    area: 'PICTURE',
    name: 'The brightness of the picture',
    say: moreOrLess('Choose a brighter picture.', 'Choose a darker picture.'),
  },
  contrast: {
    area: 'PICTURE',
    name: 'The contrast of the picture',
    say: moreOrLess('Choose a picture with more contrast.', 'Choose a picture with less contrast.'),
  },
  colourfulness: {
    area: 'PICTURE',
    name: 'The colours of the picture',
    say: moreOrLess('Choose a more colourful picture.', 'Choose a picture with calmer colours.'),
  },
  sharpness: {
    area: 'PICTURE',
    name: 'The detail in the picture',
    say: moreOrLess('Choose a sharper picture, with more detail.', 'Choose a calmer picture, with less detail.'),
  },
};

/** What speaks for a content and what would be better: by the model where it is sure enough, and by plain facts. */
export function recommendationsFor(
  candidate: Candidate,
  trained: TrainedModel | null,
  { ctr }: Pick<CtrPrediction, 'ctr'>,
): Recommendations {
  const facts = checkRules(candidate);
  const more = trained ? modelRecommendations(candidate.features, trained, 100 * ctr) : { strengths: [], improvements: [] };
  const improvements = [...facts.improvements, ...more.improvements].sort(
    (a, b) => RANKS[a.priority] - RANKS[b.priority] || (b.estimatedImpact ?? 0) - (a.estimatedImpact ?? 0),
  );
  return { strengths: [...more.strengths, ...facts.strengths], improvements };
}

function modelRecommendations(features: ContentFeatures, trained: TrainedModel, points: number): Recommendations {
  const { model, channel } = trained;
  const strengths: string[] = [];
  const improvements: Improvement[] = [];
  const names = model.encoding.numbers.map(({ name }) => name);
  for (const name of names) {
    const lever = LEVERS[name];
    const now = features.numbers[name];
    const deciles = model.deciles[name];
    if (!lever || now === null || !deciles) continue;
    const gained = compareCtr(model, withNumber(features, name, deciles[4] ?? now), features, channel);
    if (gained.probability >= SURE && 100 * gained.ctr >= LEAST_POINTS) {
      strengths.push(`${lever.name} goes with ${rounded(100 * gained.ctr)} points more than what is usual here.`);
    }
    const better = bestOf(features, trained, name, lever.values ?? deciles);
    if (better === null) continue;
    const impact = rounded(better.points);
    improvements.push({
      area: lever.area,
      priority: priorityOf(better.points / points),
      suggestion: lever.say(better.value, now),
      estimatedImpact: impact,
    });
  }
  return { strengths, improvements };
}

/** Of the values that are usual here the one that the model expects most of, where it is sure enough that it is better at all. */
function bestOf(features: ContentFeatures, { model, channel }: TrainedModel, name: NumberName, values: readonly number[]) {
  let best: { value: number; points: number } | null = null;
  for (const value of values) {
    const { ctr, probability } = compareCtr(model, features, withNumber(features, name, value), channel);
    const points = 100 * ctr;
    if (probability >= SURE && points >= LEAST_POINTS && points > (best?.points ?? 0)) best = { value, points };
  }
  return best;
}

function withNumber(features: ContentFeatures, name: NumberName, value: number): ContentFeatures {
  return { ...features, numbers: { ...features.numbers, [name]: value } };
}

function priorityOf(share: number): RecommendationPriority {
  if (share >= 0.2) return 'HIGH';
  return share >= 0.05 ? 'MEDIUM' : 'LOW';
}

function rounded(points: number): number {
  return Math.round(10 * points) / 10;
}
