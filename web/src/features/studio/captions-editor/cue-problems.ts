import { plural, t } from '../../../lib/i18n.ts';
import type { EditedCue } from './cues.ts';

/** Characters a second that most viewers can read. */
const FASTEST = 21;
/** Shorter cues flash. */
const SHORTEST_MS = 700;
const MOST_LINES = 2;

/** What is wrong with a cue: errors keep it from being saved. */
export interface CueProblem {
  readonly isError: boolean;
  readonly text: string;
}

/** Problems of a cue, and of the one after it, if it begins before this one ends. */
export function problemsOf(cue: EditedCue, next: EditedCue | undefined, durationMs: number): CueProblem[] {
  const problems: CueProblem[] = [];
  const { startMs, endMs } = cue;
  const shown = cue.text.replaceAll(/<\/?[biu]>/g, '').trim();
  const speed = Math.round([...shown].length / ((endMs - startMs) / 1000));
  const error = (text: string): number => problems.push({ isError: true, text });
  const warn = (text: string): number => problems.push({ isError: false, text });
  if (endMs <= startMs) error(t`Ends before it starts`);
  if (startMs >= durationMs) error(t`Starts after the end of the video`);
  if (shown === '') error(t`Has no text`);
  if (next && next.startMs < endMs) warn(t`Overlaps the next cue`);
  if (endMs > startMs && speed > FASTEST)
    warn(t`Too fast to read: ${plural(speed, { one: '# character a second', other: '# characters a second' })},
      at most ${FASTEST}`);
  if (endMs > startMs && endMs - startMs < SHORTEST_MS) warn(t`Shorter than 0.7 seconds`);
  if (shown.split('\n').length > MOST_LINES) warn(t`Has more than two lines`);
  return problems;
}
