import type { TestEnd } from './content-test.ts';
import { findWinner } from './sequential-test.ts';

const DAY_MS = 86_400_000;

/** The facts about a running test. */
export interface TestFacts {
  readonly startedAtMs: number;
  readonly minDays: number;
  readonly maxDays: number;
  /** Viewers who clicked, by variant. */
  readonly viewers: readonly number[];
  /** Whether the content is published and public. */
  readonly isPublic: boolean;
  /** Whether its title or image is another one than when the test started. */
  readonly isChanged: boolean;
}

/** Whether and how a test ends now; null while it goes on. */
export function decideTest(facts: TestFacts, nowMs: number): TestEnd | null {
  const changed = endByChange(facts);
  if (changed) return changed;
  const days = (nowMs - facts.startedAtMs) / DAY_MS;
  const winner = days < facts.minDays ? null : findWinner(facts.viewers);
  if (winner !== null) return { state: 'WON', reason: 'WINNER_FOUND', winner };
  return days < facts.maxDays ? null : { state: 'NO_DIFFERENCE', reason: 'TIME_OVER', winner: null };
}

/** How a test ends because its content is no longer what it was; null where it is. */
export function endByChange({ isPublic, isChanged }: Pick<TestFacts, 'isPublic' | 'isChanged'>): TestEnd | null {
  if (!isPublic) return { state: 'STOPPED', reason: 'NOT_PUBLIC', winner: null };
  if (isChanged) return { state: 'STOPPED', reason: 'CONTENT_CHANGED', winner: null };
  return null;
}
