import type { ProcessingProgress, UploadProgress } from '../../../client/src/index.ts';
import { bytes, clock } from '../format.ts';
import type { Terminal } from '../terminal.ts';

const REDRAW_MS = 100;
const BAR = 24;
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
    this.#name = name;
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
    const full = Math.round((percent / 100) * BAR);
    const bar = this.#out.style('cyan', '━'.repeat(full)) + this.#out.style('dim', '━'.repeat(BAR - full));
    const words = wordsOf(progress);
    const room = Math.max(8, this.#out.columns - BAR - words.length - 4);
    this.#out.write(`\r\u001b[K${this.#name.slice(0, room)} ${bar} ${words}`);
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
