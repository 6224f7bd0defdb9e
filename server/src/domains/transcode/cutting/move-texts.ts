import { isDeepStrictEqual } from 'node:util';
import {
  type Cue,
  captionsText,
  keepChapters,
  keepCues,
  readCaptionsFile,
  restoreChapters,
  restoreCues,
  type TimeRange,
} from '../../../media/index.ts';

/** The rules of `setContentChapters`. */
const CHAPTER_RULES = { leastMs: 10_000, leastCount: 3 };

export interface TimedCaptions {
  readonly id: string;
  readonly version: number;
  readonly vtt: string;
}

export interface TimedChapter {
  readonly startMs: number;
  readonly title: string;
}

/** Texts as they are for the original, and how to tell that nobody has changed them since. */
export interface TextsBefore {
  /** With the version that those of the trimmed video had. */
  readonly captions: readonly TimedCaptions[];
  readonly chapters: readonly TimedChapter[] | null;
  readonly chaptersAfter: readonly TimedChapter[] | null;
}

export interface MovedTexts {
  /** Those that change, with their new versions. */
  readonly captions: readonly TimedCaptions[];
  readonly chapters: readonly TimedChapter[] | null;
  /** Null where the whole video is played. */
  readonly before: TextsBefore | null;
}

/**
 * Captions and chapters of a content whose video changes from `from` to `to`: ranges of the original, null for all of
 * it. Those not edited since they were moved are taken from `before`, so that what a trim removed comes back. Pure.
 */
export function moveTexts(
  texts: { readonly captions: readonly TimedCaptions[]; readonly chapters: readonly TimedChapter[] | null },
  from: readonly TimeRange[] | null,
  to: readonly TimeRange[] | null,
  before: TextsBefore | null,
): MovedTexts {
  const originals = texts.captions.map((each) => ({ ...each, vtt: originalCaptions(each, from, before) }));
  const chapters = originalChapters(texts.chapters, from, before);
  const captions = originals.map(({ id, version, vtt }) => ({
    ...{ id, version: version + 1 },
    vtt: to === null ? vtt : cutCaptions(to, vtt),
  }));
  const chaptersAfter = to === null || chapters === null ? chapters : cutChapters(to, chapters);
  const changed = captions.filter(({ vtt }, index) => vtt !== texts.captions[index]?.vtt);
  const versions = new Map(changed.map(({ id, version }) => [id, version]));
  const kept = originals.map((each) => ({ ...each, version: versions.get(each.id) ?? each.version }));
  return {
    captions: changed,
    chapters: chaptersAfter,
    before: to === null ? null : { captions: kept, chapters, chaptersAfter },
  };
}

/** The captions of the parts of a video that `ranges` keep. */
export function cutCaptions(ranges: readonly TimeRange[], vtt: string): string {
  return captionsText(keepCues(ranges, cuesOf(vtt)));
}

/** Whether captions have a cue. */
export function hasCues(vtt: string): boolean {
  return vtt.includes('-->');
}

/** The chapters of the parts of a video that `ranges` keep; null where too few are left. */
export function cutChapters(
  ranges: readonly TimeRange[],
  chapters: readonly TimedChapter[],
): readonly TimedChapter[] | null {
  const kept = keepChapters(ranges, chapters, CHAPTER_RULES);
  return kept.length === 0 ? null : kept;
}

function originalCaptions(
  { id, version, vtt }: TimedCaptions,
  from: readonly TimeRange[] | null,
  before: TextsBefore | null,
): string {
  if (from === null) return vtt;
  const known = before?.captions.find((each) => each.id === id);
  if (known?.version === version) return known.vtt;
  return captionsText(restoreCues(from, cuesOf(vtt)));
}

function originalChapters(
  chapters: readonly TimedChapter[] | null,
  from: readonly TimeRange[] | null,
  before: TextsBefore | null,
): readonly TimedChapter[] | null {
  if (from === null) return chapters;
  if (before && isDeepStrictEqual(before.chaptersAfter, chapters)) return before.chapters;
  return chapters && restoreChapters(from, chapters);
}

/** Captions of which nothing was kept have no cue. */
function cuesOf(vtt: string): Cue[] {
  return hasCues(vtt) ? readCaptionsFile(vtt) : [];
}
