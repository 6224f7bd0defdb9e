/** WebVTT as ffmpeg prints it, made fit for HLS (RFC 8216 section 3.5). Pure. */

export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  /** One or more lines, none empty; WebVTT markup. */
  readonly text: string;
}

const TIMING = /^(?:(\d{2,}):)?(\d{2}):(\d{2})\.(\d{3}) --> (?:(\d{2,}):)?(\d{2}):(\d{2})\.(\d{3})/;

/** The cues that start before the video ends, sorted by start; the rest of `text` is skipped. */
export function readCues(text: string, durationSeconds: number): Cue[] {
  const cues: Cue[] = [];
  const videoMs = Math.round(durationSeconds * 1000);
  const lines = text.replaceAll('\0', '').split(/\r\n|\r|\n/);
  for (let at = 0; at < lines.length; at++) {
    const timing = TIMING.exec(lines[at] ?? '');
    if (timing === null) continue;
    const shown: string[] = [];
    while ((lines[at + 1] ?? '').trim() !== '') shown.push(escaped(lines[++at] ?? ''));
    const [startMs, endMs] = [milliseconds(timing.slice(1, 5)), Math.min(milliseconds(timing.slice(5, 9)), videoMs)];
    const blank =
      shown
        .join('')
        .replace(/<\/?[biu]>/g, '')
        .trim() === '';
    if (!blank && endMs > startMs) cues.push({ startMs, endMs, text: shown.join('\n') });
  }
  return cues.sort((a, b) => a.startMs - b.startMs);
}

/** ffmpeg marks up bold, italic and underlined text and prints the rest unchanged; only this markup is kept. */
export function escaped(line: string): string {
  return line
    .replace(/&(?!(?:amp|lt|gt|nbsp|lrm|rlm);)/g, '&amp;')
    .replace(/<(?!\/?[biu]>)/g, '&lt;')
    .replaceAll('-->', '--&gt;');
}

function milliseconds([hours = '0', minutes, seconds, thousandths]: (string | undefined)[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(thousandths);
}

/** A WebVTT segment with the times of the video, which starts at 0 in every rendition. */
export function captionsText(cues: readonly Cue[]): string {
  return ['WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n', ...cues.map(block)].join('\n');
}

/** Cues of plain text, with its characters escaped. */
export function escapedCues(cues: readonly Cue[]): Cue[] {
  const plain = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return cues.map((cue) => ({ ...cue, text: plain(cue.text) }));
}

/** A WebVTT file of plain-text titles, without markup. */
export function titlesText(cues: readonly Cue[]): string {
  return ['WEBVTT\n', ...escapedCues(cues).map(block)].join('\n');
}

function block({ startMs, endMs, text }: Cue): string {
  return `${clock(startMs)} --> ${clock(endMs)}\n${text}\n`;
}

/** `00:01:02.345`. */
export function clock(ms: number): string {
  const digits = (value: number, width = 2) => `${Math.floor(value)}`.padStart(width, '0');
  return `${digits(ms / 3_600_000)}:${digits((ms / 60_000) % 60)}:${digits((ms / 1000) % 60)}.${digits(ms % 1000, 3)}`;
}
