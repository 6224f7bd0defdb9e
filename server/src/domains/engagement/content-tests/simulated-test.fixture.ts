import { seededRandom } from '../../../kernel/random.testing.ts';
import { findWinner } from './sequential-test.ts';

interface Simulation {
  readonly tests: number;
  readonly days: number;
  /** New viewers of a day, who are assigned by chance. */
  readonly viewersPerDay: number;
  /** The probability that a viewer of each variant ever clicks. */
  readonly rates: readonly number[];
  readonly seed: number;
}

/** How many more days a viewer may take to click. */
const LATEST_CLICK_DAYS = 3;

/** Runs tests that are looked at every day; returns the share of those with a winner, of any variant and of each. */
export function shareOfWinners({ tests, days, viewersPerDay, rates, seed }: Simulation): {
  readonly any: number;
  readonly byPlace: readonly number[];
} {
  const random = seededRandom(seed);
  const winners = rates.map(() => 0);
  for (let test = 0; test < tests; test += 1) {
    const clicks = Array.from({ length: days + LATEST_CLICK_DAYS }, () => rates.map(() => 0));
    for (let day = 0; day < days; day += 1) {
      for (let viewer = 0; viewer < viewersPerDay; viewer += 1) {
        const place = Math.floor(random() * rates.length);
        if (random() >= (rates[place] ?? 0)) continue;
        const later = clicks[day + Math.floor(random() * LATEST_CLICK_DAYS)] ?? [];
        later[place] = (later[place] ?? 0) + 1;
      }
    }
    const winner = firstWinner(clicks.slice(0, days), rates.length);
    if (winner !== null) winners[winner] = (winners[winner] ?? 0) + 1;
  }
  const byPlace = winners.map((count) => count / tests);
  return { any: byPlace.reduce((sum, share) => sum + share, 0), byPlace };
}

function firstWinner(clicksOfDays: readonly (readonly number[])[], variants: number): number | null {
  const viewers = Array.from({ length: variants }, () => 0);
  for (const clicks of clicksOfDays) {
    clicks.forEach((count, place) => {
      viewers[place] = (viewers[place] ?? 0) + count;
    });
    const winner = findWinner(viewers);
    if (winner !== null) return winner;
  }
  return null;
}
