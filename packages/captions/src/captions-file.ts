import { type Cue, clock, escaped } from './web-vtt.ts';

/** What is wrong with a captions file. */
export type CaptionsProblem = 'UNEXPECTED_TEXT' | 'TOO_MANY_CUES' | 'NO_CUE' | 'INVALID_TIMES' | 'ENDS_BEFORE_START';

/** An error in a captions file. */
export class CaptionsError extends Error {
  readonly problem: CaptionsProblem;
  /** From 1. */
  readonly line: number;

  constructor(problem: CaptionsProblem, line: number, message: string) {
    super(message);
    this.name = 'CaptionsError';
    this.problem = problem;
    this.line = line;
  }
}

const ARROW = '-->';
const EXAMPLE = '00:00:01.000 --> 00:00:04.000';
const INSTANT = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`;
const TIMING = new RegExp(String.raw`^\s*${INSTANT}\s*-->\s*${INSTANT}(?:\s.*)?$`);
/** Markup for position, colour or timing; bold, italic and underlined text stays. */
const OTHER_TAGS = /<\/?(?!\/?[biu]>)[a-z][^<>]*>|<\d[\d:.]*>|\{\\an?\d\}/gi;
/** The first line of WebVTT; lines up to the first cue may describe the file. */
const HEADER = /^WEBVTT(\s|$)/;
/** Cues of a file, unless the caller says otherwise. */
export const MAX_CUES = 20_000;

/**
 * Reads SubRip (SRT) or WebVTT. Numbers, settings, notes and styles are skipped; text is kept, with bold, italic and
 * underlined markup. Cues are sorted by start. Pure.
 * @throws CaptionsError naming the line, when a cue has no time, ends before it begins, or no cue has text.
 */
export function readCaptionsFile(text: string, maxCues = MAX_CUES): Cue[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const cues: Cue[] = [];
  let isHeader = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    isHeader = cues.length === 0 && (isHeader || HEADER.test(line));
    if (/^(NOTE|STYLE|REGION)\b/.test(line)) {
      while ((lines[at + 1] ?? '').trim() !== '') at++;
      continue;
    }
    if (!line.includes(ARROW)) {
      // Outside of cues only the header, identifiers and empty lines are allowed.
      const isAllowed = isHeader || line.trim() === '' || (lines[at + 1] ?? '').includes(ARROW);
      if (!isAllowed)
        throw new CaptionsError('UNEXPECTED_TEXT', at + 1, 'Here a cue must begin, with its number or its times.');
      continue;
    }
    const { startMs, endMs } = readTiming(line, at + 1);
    const textLines: string[] = [];
    while ((lines[at + 1] ?? '').trim() !== '') textLines.push(escaped((lines[++at] ?? '').replace(OTHER_TAGS, '')));
    if (
      textLines
        .join('')
        .replace(/<\/?[biu]>/g, '')
        .trim() !== ''
    )
      cues.push({ startMs, endMs, text: textLines.filter((each) => each.trim() !== '').join('\n') });
    if (cues.length > maxCues) throw new CaptionsError('TOO_MANY_CUES', at + 1, `There are more than ${maxCues} cues.`);
  }
  if (cues.length === 0)
    throw new CaptionsError('NO_CUE', 1, `There is no cue: no line like "${EXAMPLE}" with text below it.`);
  return cues.sort((a, b) => a.startMs - b.startMs);
}

function readTiming(line: string, number: number): { startMs: number; endMs: number } {
  const match = TIMING.exec(line);
  if (!match) throw new CaptionsError('INVALID_TIMES', number, `The times of a cue must read like "${EXAMPLE}".`);
  const [startMs, endMs] = [milliseconds(match.slice(1, 5)), milliseconds(match.slice(5, 9))];
  if (endMs <= startMs) throw new CaptionsError('ENDS_BEFORE_START', number, 'The cue ends before it begins.');
  return { startMs, endMs };
}

function milliseconds([hours = '0', minutes, seconds, fraction = '0']: (string | undefined)[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** The cues as SubRip, with bold, italic and underlined text. Pure. */
export function subRipText(cues: readonly Cue[]): string {
  const plain = (text: string) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&nbsp;', '\u00a0').replaceAll('&amp;', '&');
  return cues
    .map(({ startMs, endMs, text }, index) => `${index + 1}\n${comma(startMs)} --> ${comma(endMs)}\n${plain(text)}\n`)
    .join('\n');
}

function comma(ms: number): string {
  return clock(ms).replace('.', ',');
}
