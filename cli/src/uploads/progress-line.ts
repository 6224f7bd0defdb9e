import type { ProcessingProgress, UploadProgress } from '../../../clients/typescript/src/index.ts';
import { bytes, clock } from '../format.ts';
import { type Terminal, truncate } from '../terminal.ts';

const REDRAW_MS = 100;
/** Columns of the bar: fewer on a narrow terminal, none if it would be too short. */
const BAR = { most: 24, least: 8 };
/** Columns left to the name beside a bar. */
const NAME = 8;
/** Without a terminal, one line is written per step. */
const STEP_PERCENT = 10;

/** What it shows. */
type Progress = UploadProgress | Pick<ProcessingProgress, 'phase' | 'percent'>;

/** Progress of a file: one line that is redrawn on a terminal, a new line per step anywhere else. */
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

  show(progress: Progress): void {
    if (this.#isSilent) return;
    const percent = percentOf(progress);
    if (!this.#out.isInteractive) {
      const step = `${progress.phase} ${Math.floor(percent / STEP_PERCENT)}`;
      if (step !== this.#step) this.#out.line(`${this.#name}: ${labelOf(progress)}`);
      this.#step = step;
      return;
    }
    if (percent < 100 && Date.now() - this.#drawnMs < REDRAW_MS) return;
    this.#drawnMs = Date.now();
    this.#out.write(`\r\u001b[K${this.#render(percent, labelOf(progress))}`);
  }

  /** Name, bar and label in less than a line: a full line wraps and could not be redrawn. */
  #render(percent: number, label: string): string {
    const width = this.#out.columns - 1;
    const available = Math.min(BAR.most, width - label.length - NAME - 2);
    const columns = available < BAR.least ? 0 : available;
    const full = Math.round((percent / 100) * columns);
    const bar = this.#out.style('cyan', '━'.repeat(full)) + this.#out.style('dim', '━'.repeat(columns - full));
    const name = truncate(this.#name, width - label.length - (columns > 0 ? columns + 2 : 1));
    return [name, columns > 0 ? bar : '', truncate(label, width)].filter(Boolean).join(' ');
  }

  /** Removes the line from a terminal before something else is written. */
  clear(): void {
    if (!this.#isSilent && this.#out.isInteractive) this.#out.write('\r\u001b[K');
  }
}

function percentOf(progress: Progress): number {
  return progress.phase === 'uploading' ? (100 * progress.sentBytes) / progress.totalBytes : progress.percent;
}

function labelOf(progress: Progress): string {
  const percent = `${Math.floor(percentOf(progress))} %`;
  if (progress.phase === 'processing') return `processing ${percent}`;
  const { sentBytes, totalBytes, bytesPerSecond, remainingSeconds } = progress;
  const rate = bytesPerSecond > 0 ? `, ${bytes(bytesPerSecond)}/s` : '';
  const rest = remainingSeconds === null ? '' : `, ${clock(remainingSeconds)} left`;
  return `uploading ${percent} of ${bytes(totalBytes)}${sentBytes < totalBytes ? rate + rest : rate}`;
}
