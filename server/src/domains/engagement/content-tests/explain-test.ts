import { type Message, phrase, plural, type Text, t } from '../../../kernel/languages/message.ts';
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
export function explainTest({ state, reason, winner, maxDays, viewers }: Facts): Text {
  const clicked = viewers.reduce((sum, count) => sum + count, 0);
  const basis = phrase`${plural(clicked, { one: '# viewer clicked', other: '# viewers clicked' })}`;
  if (state === 'WON' && winner !== null) return winnerText(viewers, winner, basis);
  if (state === 'NO_DIFFERENCE')
    return t`In ${plural(maxDays, { one: '# day', other: '# days' })} no variant was clicked measurably more often
      (${basis}).`;
  if (state === 'STOPPED') {
    if (reason === 'CONTENT_CHANGED')
      return t`Stopped because the title or an image of the content was changed (${basis}).`;
    if (reason === 'NOT_PUBLIC') return t`Stopped because the content is no longer public (${basis}).`;
    return t`Stopped by a member of the channel (${basis}).`;
  }
  if (clicked === 0) return t`Running; no clicks yet.`;
  const counts = viewers.map((count, position) => `${count} ${variantLabel(position)}`);
  return t`Running; ${basis}: ${counts.join(', ')}.`;
}

function winnerText(viewers: readonly number[], winner: number, basis: Message): Message {
  if (winner === 0) return t`A, the original, is clicked more often than every other variant (${basis}).`;
  const { measured } = liftOver(viewers, winner);
  if (measured === null) return t`${variantLabel(winner)} is clicked more often than every other variant (${basis}).`;
  return t`${variantLabel(winner)} is clicked ${Math.round(measured * 100)} % more often than the original (${basis}).`;
}
