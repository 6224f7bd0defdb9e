/** A line of a transcript: what is said from one time on. */
export interface Cue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly text: string;
}

const TIMING = /^((?:\d+:)?\d\d:\d\d\.\d{3})[ \t]+-->[ \t]+((?:\d+:)?\d\d:\d\d\.\d{3})/;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', nbsp: ' ', lrm: '', rlm: '' };

const secondsOf = (time: string): number => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** The text of a cue without its markup (WebVTT section 4.2.2), on one line. */
const plain = (payload: string): string =>
  payload
    .replace(/<[^<>]*>/g, '')
    .replace(/&(lt|gt|amp|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();

/** The cues of a WebVTT file in the order of their times; a text that continues in the next cue is one line. */
export function parseTranscript(vtt: string): readonly Cue[] {
  const cues = vtt
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .flatMap((block) => {
      const lines = block.split('\n');
      const at = lines.findIndex((line) => TIMING.test(line));
      const [, start, end] = TIMING.exec(lines[at] ?? '') ?? [];
      const text = plain(lines.slice(at + 1).join('\n'));
      return start && end && text ? [{ startSeconds: secondsOf(start), endSeconds: secondsOf(end), text }] : [];
    })
    .sort((a, b) => a.startSeconds - b.startSeconds);
  const joined: Cue[] = [];
  for (const cue of cues) {
    const last = joined.at(-1);
    if (last && last.text === cue.text && cue.startSeconds <= last.endSeconds)
      joined[joined.length - 1] = { ...last, endSeconds: Math.max(last.endSeconds, cue.endSeconds) };
    else joined.push(cue);
  }
  return joined;
}

/** Index of the last cue that has begun; -1 before the first one. */
export function cueAt(cues: readonly Cue[], seconds: number): number {
  let low = 0;
  let high = cues.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cues[middle]?.startSeconds ?? 0) <= seconds + 0.05) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Indices of the cues that contain all words, whatever their accents and case. */
export function findCues(cues: readonly Cue[], query: string): readonly number[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  return cues.flatMap(({ text }, index) => {
    const within = folded(text);
    return words.every((word) => within.includes(word)) ? [index] : [];
  });
}
