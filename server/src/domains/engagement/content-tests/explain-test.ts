import { type EndReason, type TestState, variantLabel } from './content-test.ts';
import { liftOver } from './sequential-test.ts';

/** The columns that an explanation needs. */
export type ExplainedTest = [
  state: TestState,
  reason: EndReason | null,
  winner: number | null,
  maxDays: number,
  viewers: number[],
];

interface Facts {
  readonly state: TestState;
  readonly reason: EndReason | null;
  readonly winner: number | null;
  readonly maxDays: number;
  /** Viewers who clicked, by variant. */
  readonly viewers: readonly number[];
}

/** The state or the result of a test in a sentence. */
export function explainTest({ state, reason, winner, maxDays, viewers }: Facts): string {
  const clicked = viewers.reduce((sum, count) => sum + count, 0);
  const basis = `${clicked} ${clicked === 1 ? 'viewer' : 'viewers'} clicked`;
  if (state === 'WON' && winner !== null) return `${winnerText(viewers, winner)} (${basis}).`;
  if (state === 'NO_DIFFERENCE')
    return `In ${daysText(maxDays)} no variant was clicked measurably more often (${basis}).`;
  if (state === 'STOPPED') {
    const why = (reason && WHY_STOPPED[reason]) ?? 'by a member of the channel';
    return `Stopped ${why} (${basis}).`;
  }
  if (clicked === 0) return 'Running; no clicks yet.';
  const counts = viewers.map((count, position) => `${count} ${variantLabel(position)}`);
  return `Running; ${basis}: ${counts.join(', ')}.`;
}

const WHY_STOPPED: Readonly<Partial<Record<EndReason, string>>> = {
  CONTENT_CHANGED: 'because the title or an image of the content was changed',
  NOT_PUBLIC: 'because the content is no longer public',
};

function winnerText(viewers: readonly number[], winner: number): string {
  if (winner === 0) return 'A, the original, is clicked more often than every other variant';
  const { measured } = liftOver(viewers, winner);
  if (measured === null) return `${variantLabel(winner)} is clicked more often than every other variant`;
  return `${variantLabel(winner)} is clicked ${Math.round(measured * 100)} % more often than the original`;
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
