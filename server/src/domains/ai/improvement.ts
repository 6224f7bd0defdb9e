import type { Text } from '../../kernel/languages/message.ts';
import type { ContentFeatures } from './ctr-model/features.ts';

export const RECOMMENDATION_AREAS = {
  TITLE: 'The title.',
  DESCRIPTION: 'The description.',
  PICTURE: 'The thumbnail.',
} as const;
export type RecommendationArea = keyof typeof RECOMMENDATION_AREAS;

export const RECOMMENDATION_PRIORITIES = {
  HIGH: 'High: something missing makes a card hard to choose, or the change is worth a fifth of the predicted rate.',
  MEDIUM: 'Medium: worth a twentieth of the predicted rate, or visible on every card.',
  LOW: 'Low: a detail.',
} as const;
export type RecommendationPriority = keyof typeof RECOMMENDATION_PRIORITIES;

export interface Improvement {
  readonly area: RecommendationArea;
  readonly priority: RecommendationPriority;
  readonly suggestion: Text;
  /** Percentage points of click-through rate; null if not measured. */
  readonly estimatedImpact: number | null;
}

/** A planned content. */
export interface Candidate {
  readonly title: string;
  readonly description: string;
  readonly features: ContentFeatures;
  /** Null without an image. */
  readonly image: { readonly width: number; readonly height: number } | null;
}

export interface Recommendations {
  readonly strengths: readonly Text[];
  /** Most urgent first. */
  readonly improvements: readonly Improvement[];
}
