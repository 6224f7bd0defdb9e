import type { Value } from '../../kernel/languages/format-message.ts';
import { type Message, type Text, t } from '../../kernel/languages/message.ts';
import { type ChannelEffect, type CtrModel, type CtrPrediction, compareCtr } from './ctr-model/ctr-model.ts';
import type { ContentFeatures, NumberName } from './ctr-model/features.ts';
import type {
  Candidate,
  Improvement,
  RecommendationArea,
  RecommendationPriority,
  Recommendations,
} from './improvement.ts';
import { checkRules } from './rule-checks.ts';

/** The trained model and its channel effect. */
export interface ChannelModel {
  readonly model: CtrModel;
  readonly channel: ChannelEffect | null;
}

/**
 * Minimum probability that a recommendation helps. The prior treats all features alike and overestimates irrelevant
 * ones when only a few matter: on simulated platforms 37 to 74 % of recommendations were useless at 0.8, 15 to 40 % at
 * 0.95, 1 to 15 % at 0.98 (ai/README.md).
 */
const SURE = 0.98;
/** Percentage points are rounded to one decimal. */
const LEAST_POINTS = 0.1;
const RANKS: Readonly<Record<RecommendationPriority, number>> = { HIGH: 0, MEDIUM: 1, LOW: 2 };

/** A recommendation for a feature: its area, and the text for a better value. */
interface Lever {
  readonly area: RecommendationArea;
  /** That the feature is associated with more clicks, by percentage points. */
  readonly strong: (points: Value) => Message;
  /** Binary features have just these values. */
  readonly values?: readonly number[];
  readonly say: (better: number, now: number) => Text;
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;
const moreOrLess = (more: Text, less: Text) => (better: number, now: number) => (better > now ? more : less);

const LEVERS: Readonly<Partial<Record<NumberName, Lever>>> = {
  titleLength: {
    area: 'TITLE',
    strong: (points) =>
      t`The length of the title is associated with ${points} percentage points more than the platform's median.`,
    say: (better) => t`Make the title about ${Math.round(Math.exp(better))} characters long.`,
  },
  titleDigits: {
    area: 'TITLE',
    strong: (points) =>
      t`Whether there is a number in the title is associated with ${points} percentage points more than the platform's
        median.`,
    values: [0, 1],
    say: moreOrLess(t`Add a number to the title.`, t`Remove numbers from the title.`),
  },
  titleQuestion: {
    area: 'TITLE',
    strong: (points) =>
      t`Whether the title is a question is associated with ${points} percentage points more than the platform's
        median.`,
    values: [0, 1],
    say: moreOrLess(t`Make the title a question.`, t`Make the title a statement instead of a question.`),
  },
  titleCapitals: {
    area: 'TITLE',
    strong: (points) =>
      t`How much of the title is in capitals is associated with ${points} percentage points more than the platform's
        median.`,
    say: (better) => t`Write about ${percent(better)} of the letters of the title as capitals.`,
  },
  descriptionLength: {
    area: 'DESCRIPTION',
    strong: (points) =>
      t`The length of the description is associated with ${points} percentage points more than the platform's median.`,
    say: (better) => t`Make the description about ${Math.round(Math.expm1(better))} characters long.`,
  },
  brightness: {
    area: 'PICTURE',
    strong: (points) =>
      t`The brightness of the image is associated with ${points} percentage points more than the platform's median.`,
    say: moreOrLess(t`Use a brighter image.`, t`Use a darker image.`),
  },
  contrast: {
    area: 'PICTURE',
    strong: (points) =>
      t`The contrast of the image is associated with ${points} percentage points more than the platform's median.`,
    say: moreOrLess(t`Use an image with more contrast.`, t`Use an image with less contrast.`),
  },
  colourfulness: {
    area: 'PICTURE',
    strong: (points) =>
      t`The colours of the image is associated with ${points} percentage points more than the platform's median.`,
    say: moreOrLess(t`Use a more colourful image.`, t`Use an image with more muted colours.`),
  },
  sharpness: {
    area: 'PICTURE',
    strong: (points) =>
      t`The detail of the image is associated with ${points} percentage points more than the platform's median.`,
    say: moreOrLess(t`Use a sharper image, with more detail.`, t`Use a simpler image, with less detail.`),
  },
};

/** Strengths and improvements of a content: from the model where it is confident enough, and from rule checks. */
export function recommendationsFor(
  candidate: Candidate,
  trained: ChannelModel | null,
  { ctr }: Pick<CtrPrediction, 'ctr'>,
): Recommendations {
  const facts = checkRules(candidate);
  const more = trained
    ? modelRecommendations(candidate.features, trained, 100 * ctr)
    : { strengths: [], improvements: [] };
  const improvements = [...facts.improvements, ...more.improvements].sort(
    (a, b) => RANKS[a.priority] - RANKS[b.priority] || (b.estimatedImpact ?? 0) - (a.estimatedImpact ?? 0),
  );
  return { strengths: [...more.strengths, ...facts.strengths], improvements };
}

function modelRecommendations(features: ContentFeatures, trained: ChannelModel, points: number): Recommendations {
  const { model, channel } = trained;
  const strengths: Text[] = [];
  const improvements: Improvement[] = [];
  const names = model.encoding.numbers.map(({ name }) => name);
  for (const name of names) {
    const lever = LEVERS[name];
    const now = features.numbers[name];
    const deciles = model.deciles[name];
    if (!lever || now === null || !deciles) continue;
    const gained = compareCtr(model, withNumber(features, name, deciles[4] ?? now), features, channel);
    if (gained.probability >= SURE && 100 * gained.ctr >= LEAST_POINTS) {
      strengths.push(lever.strong(rounded(100 * gained.ctr)));
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

/** The best of the usual values according to the model, if it is confident of an improvement. */
function bestOf(
  features: ContentFeatures,
  { model, channel }: ChannelModel,
  name: NumberName,
  values: readonly number[],
) {
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
