import { byTime, type EditedCue } from './cues.ts';

const TIMING = /^\s*(?:(\d+):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})\s+-->\s+(?:(\d+):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ' };

/** The cues of a WebVTT or SubRip file, in order; what is not a cue is skipped. */
export function readCues(file: string): EditedCue[] {
  const lines = file.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const cues: EditedCue[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const timing = TIMING.exec(lines[at] ?? '');
    if (!timing) continue;
    const text: string[] = [];
    while ((lines[at + 1] ?? '').trim() !== '') {
      at += 1;
      text.push(lines[at] ?? '');
    }
    const [startMs, endMs] = [milliseconds(timing.slice(1, 5)), milliseconds(timing.slice(5, 9))];
    cues.push({ id: cues.length + 1, startMs, endMs, text: decoded(text.join('\n')) });
  }
  return cues.sort(byTime);
}

function milliseconds([hours = '0', minutes, seconds, fraction = '0']: (string | undefined)[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** The text as it is shown; bold, italic and underlined parts keep their marks, other markup is dropped. */
function decoded(text: string): string {
  return text
    .replaceAll(/<(?!\/?[biu]>)[^<>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
}

/** Lines without blank ones, which would end the cue. */
const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');

/** A WebVTT file. */
export function writeVtt(cues: readonly EditedCue[]): string {
  const escaped = (text: string): string =>
    linesOf(text)
      .replaceAll('&', '&amp;')
      .replaceAll(/<(?!\/?[biu]>)/g, '&lt;')
      .replaceAll('-->', '--&gt;');
  const blocks = cues.map(
    ({ startMs, endMs, text }) => `${clock(startMs, '.')} --> ${clock(endMs, '.')}\n${escaped(text)}\n`,
  );
  return ['WEBVTT\n', ...blocks].join('\n');
}

/** A SubRip file. */
export function writeSrt(cues: readonly EditedCue[]): string {
  return cues
    .map(
      ({ startMs, endMs, text }, index) =>
        `${index + 1}\n${clock(startMs, ',')} --> ${clock(endMs, ',')}\n${linesOf(text)}\n`,
    )
    .join('\n');
}

function clock(ms: number, point: string): string {
  const digits = (value: number, width = 2): string => String(Math.floor(value)).padStart(width, '0');
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60];
  return `${digits(hours)}:${digits(minutes)}:${digits(seconds)}${point}${digits(ms % 1000, 3)}`;
}

/** `1:02.5`: a time of the editor, to tenths or as exact as it is. */
export function timecode(ms: number): string {
  const fraction = String(ms % 1000)
    .padStart(3, '0')
    .replace(/0{1,2}$/, '');
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1000) % 60,
  ];
  const tail = `${String(seconds).padStart(2, '0')}.${fraction}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** Reads `62.5`, `1:02.5` or `1:01:02.500`; null for anything else. */
export function readTimecode(text: string): number | null {
  const [, hours = '0', minutes = '0', seconds = '', fraction = ''] =
    /^(?:(?:(\d+):)?(\d{1,4}):)?(\d{1,5})(?:[.,](\d{1,3}))?$/.exec(text.trim()) ?? [];
  if (seconds === '') return null;
  return milliseconds([hours, minutes, seconds, fraction === '' ? '0' : fraction]);
}
