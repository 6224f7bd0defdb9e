import type { ByteSource } from './byte-source.ts';
import { readMovie, type Track } from './movie.ts';
import { readSampleIndex } from './sample-index.ts';

const EMPTY_EDIT = -1;

/** When the pictures of a track are shown. */
export interface TablePictures {
  /** Rising, in seconds after the start of the movie; those before it are left out. */
  readonly seconds: Float64Array;
  readonly endSeconds: number;
}

/**
 * When the pictures of the track with this index are shown, by the tables of the file; null where these do not tell:
 * with fragments, or an edit list that shows a part of the track.
 * @throws Mp4Error where the file is malformed.
 */
export async function pictureSeconds(source: ByteSource, index: number): Promise<TablePictures | null> {
  const movie = await readMovie(source);
  const track = movie?.tracks[index];
  if (!movie || movie.fragmented || track?.handler !== 'vide' || track.timescale === 0 || movie.timescale === 0)
    return null;
  const { count, decodeTimes, shifts } = readSampleIndex(movie, track, source.sizeBytes);
  const start = startOf(track, movie.timescale, decodeTimes[count] ?? 0);
  if (start === null) return null;
  const shown: number[] = [];
  for (let sample = 0; sample < count; sample += 1) {
    const at = (decodeTimes[sample] ?? 0) + (shifts?.[sample] ?? 0) - start;
    if (at < 0) continue;
    shown.push(at / track.timescale);
  }
  const seconds = Float64Array.from(shown).sort();
  // Where pictures are reordered, durations are those of decoding: all of them together are shown as long.
  const end = ((decodeTimes[count] ?? 0) + (shifts?.[0] ?? 0) - start) / track.timescale;
  return { seconds, endSeconds: Math.max(seconds.at(-1) ?? 0, Math.min(end, editEnd(track, movie.timescale))) };
}

/** When the last edit ends, in seconds; infinite where it does not say. Decoding may begin long before the first. */
function editEnd({ edits }: Track, movieTimescale: number): number {
  if (edits.at(-1)?.duration === 0 || edits.length === 0) return Number.POSITIVE_INFINITY;
  return edits.reduce((sum, { duration }) => sum + duration, 0) / movieTimescale;
}

/** The time of the track that is shown at 0, in its units; null where not all that follows is shown. */
function startOf({ edits, timescale }: Track, movieTimescale: number, end: number): number | null {
  const delaying = edits.length > 1 && edits[0]?.mediaTime === EMPTY_EDIT ? edits[0] : null;
  const delay = Math.round(((delaying?.duration ?? 0) / movieTimescale) * timescale);
  const [edit, ...others] = delaying ? edits.slice(1) : edits;
  if (edit === undefined) return 0;
  if (others.length > 0 || edit.rate !== 1 || edit.mediaTime < 0) return null;
  const shown = (edit.duration / movieTimescale) * timescale;
  const isWhole = edit.duration === 0 || edit.mediaTime + shown >= end - 1;
  return isWhole ? edit.mediaTime - delay : null;
}
