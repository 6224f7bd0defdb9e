import type { ProcessingProgress, UploadProgress } from '../../../client/src/index.ts';
import { bytes, clock } from '../format.ts';
import { cut, type Terminal } from '../terminal.ts';

const REDRAW_MS = 100;
/** Columns of the bar: fewer where room is short, none where it would say nothing. */
const BAR = { most: 24, least: 8 };
/** Columns that the name keeps beside a bar. */
const NAME = 8;
/** Without a terminal a line is written for each of these steps. */
const STEP_PERCENT = 10;

/** How far a file is: one line that is drawn again and again on a terminal, now and then a line of its own anywhere else. */
export class ProgressLine {
  readonly #out: Terminal;
  readonly #name: string;
  readonly #isSilent: boolean;
  #drawnMs = 0;
  #step = '';

  constructor(out: Terminal, name: string, isSilent: boolean) {
    this.#out = out;
    this.#name = name.replace(/\p{Cc}/gu, '?');
    this.#isSilent = isSilent;
  }

  show(progress: UploadProgress | ProcessingProgress): void {
    if (this.#isSilent) return;
    const percent = percentOf(progress);
    if (!this.#out.isLive) {
      const step = `${progress.phase} ${Math.floor(percent / STEP_PERCENT)}`;
      if (step !== this.#step) this.#out.line(`${this.#name}: ${wordsOf(progress)}`);
      this.#step = step;
      return;
    }
    if (percent < 100 && Date.now() - this.#drawnMs < REDRAW_MS) return;
    this.#drawnMs = Date.now();
    this.#out.write(`\r\u001b[K${this.#drawn(percent, wordsOf(progress))}`);
  }

  /** Name, bar and words in less than a line: a line that is full begins another one, which is not drawn over. */
  #drawn(percent: number, words: string): string {
    const room = this.#out.columns - 1;
    const forBar = Math.min(BAR.most, room - words.length - NAME - 2);
    const columns = forBar < BAR.least ? 0 : forBar;
    const full = Math.round((percent / 100) * columns);
    const bar = this.#out.style('cyan', '━'.repeat(full)) + this.#out.style('dim', '━'.repeat(columns - full));
    const name = cut(this.#name, room - words.length - (columns > 0 ? columns + 2 : 1));
    return [name, columns > 0 ? bar : '', cut(words, room)].filter(Boolean).join(' ');
  }

  /** Removes the line from a terminal, where something else is to be written. */
  end(): void {
    if (!this.#isSilent && this.#out.isLive) this.#out.write('\r\u001b[K');
  }
}

function percentOf(progress: UploadProgress | ProcessingProgress): number {
  return progress.phase === 'uploading' ? (100 * progress.sentBytes) / progress.totalBytes : progress.percent;
}

function wordsOf(progress: UploadProgress | ProcessingProgress): string {
  const percent = `${Math.floor(percentOf(progress))} %`;
  if (progress.phase === 'processing') return `processing ${percent}`;
  const { sentBytes, totalBytes, bytesPerSecond, remainingSeconds } = progress;
  const pace = bytesPerSecond > 0 ? `, ${bytes(bytesPerSecond)}/s` : '';
  const rest = remainingSeconds === null ? '' : `, ${clock(remainingSeconds)} left`;
  return `uploading ${percent} of ${bytes(totalBytes)}${sentBytes < totalBytes ? pace + rest : pace}`;
}
