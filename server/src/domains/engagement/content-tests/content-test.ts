/** States of a test, in the table and the API. */
export const TEST_STATES = {
  RUNNING: 'Its variants are shown.',
  WON: 'One variant is clicked more often than every other one.',
  NO_DIFFERENCE: 'Its time is over, and no variant is clicked measurably more often than the others.',
  STOPPED: 'It was ended before there was a result.',
} as const;
export type TestState = keyof typeof TEST_STATES;

/** Why a test ended. */
export const END_REASONS = {
  WINNER_FOUND: 'A variant is clicked more often than every other one.',
  TIME_OVER: 'maxDays have passed.',
  STOPPED_BY_MEMBER: 'A member of the channel stopped it, or applied a variant.',
  CONTENT_CHANGED: 'The title of the content, or an image that the test shows, was changed.',
  NOT_PUBLIC: 'The content is no longer published and public.',
} as const;
export type EndReason = keyof typeof END_REASONS;

/** Names of the variants by their position. */
export const VARIANT_LABELS = ['A', 'B', 'C'] as const;
export const MAX_TEST_DAYS = 30;
export const DEFAULT_MIN_DAYS = 1;
export const DEFAULT_MAX_DAYS = 14;

/** How a test ends. */
export interface TestEnd {
  readonly state: Exclude<TestState, 'RUNNING'>;
  readonly reason: EndReason;
  /** Position of the variant that won. */
  readonly winner: number | null;
}

export function variantLabel(position: number): string {
  return VARIANT_LABELS[position] ?? '?';
}
