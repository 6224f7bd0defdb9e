import { BoxBudget, boxesIn, Mp4Error } from './boxes.ts';
import type { Movie, Track } from './movie.ts';
import { chunkPositions, MAX_SAMPLES, readSampleIndex, type SampleIndex, Tables } from './sample-index.ts';

/** A track of sound in any codec, whose samples can be decoded from any place on. */
export interface SoundTrack {
  readonly track: Track;
  /** The sample entry. */
  readonly entry: Buffer;
  /** Of uncompressed sound, in pieces of many frames each. */
  readonly samples: SampleIndex;
  /** Composition time at which playback begins, in the time scale of the track. */
  readonly startTime: number;
  /** How its table of sizes describes uncompressed sound: bytes of each frame; null for other sound. */
  readonly frameBytes: number | null;
}

/** FLAC has metadata there. */
const MAX_ENTRY_BYTES = 65_536;
/** How far packets may be from the time that the number of those before them tells. */
const TOLERANCE_SECONDS = 0.002;
/** Frames of a piece of uncompressed sound. */
const PIECE_FRAMES = 1024;
/** Of an audio sample entry, from its start (ISO/IEC 14496-12 section 12.2.3; QuickTime File Format, "Sound Media"). */
const AT = { version: 16, bytesPerFrame: 44, samplesPerPacket: 36, bytesPerPacket: 64, framesPerPacket: 68 } as const;

/**
 * Reads a track of sound; a reason where its packets are not at a constant interval, so that the position of a
 * sample does not follow from the number of its packet. Pure.
 * @throws Mp4Error where it is malformed.
 */
export function readSoundTrack(movie: Movie, track: Track, fileBytes: number): Omit<SoundTrack, 'startTime'> | string {
  const description = track.tables.get('stsd');
  if (!description) throw new Mp4Error('There are no sample descriptions.');
  const entries = [...boxesIn(movie.bytes, { start: description.start + 8, end: description.end }, new BoxBudget())];
  const [box] = entries;
  if (!box || entries.length > 1) return 'has several sample descriptions';
  const entry = movie.bytes.subarray(box.start - 8, box.end);
  if (entry.length > MAX_ENTRY_BYTES) return `has a sample description of ${entry.length} bytes`;
  const tables = new Tables(movie.bytes, track);
  const sizes = tables.required('stsz');
  const declared = tables.word(sizes, 0);
  const runs = tables.entries(tables.required('stts'), 2);
  if (declared === 0 || runs.length !== 2 || runs[1] !== 1) {
    const samples = readSampleIndex(movie, track, fileBytes);
    if (samples.count === 0 || samples.description !== 1) return 'has no packets or several sample descriptions';
    const steady = inRhythm(samples, track.timescale);
    return steady ? { track, entry, samples: steady, frameBytes: null } : 'has packets of different lengths';
  }
  const frameBytes = bytesOfFrame(entry, declared);
  if (frameBytes === null) return 'has packets of several frames without sizes';
  const samples = pieces(tables, tables.word(sizes, 1), frameBytes, fileBytes);
  return { track, entry, samples, frameBytes: declared };
}

/**
 * The samples at whole multiples of the length of a packet; null where they are not near them. Containers round times:
 * Matroska to milliseconds. The last packet may be shorter.
 */
function inRhythm(samples: SampleIndex, timescale: number): SampleIndex | null {
  const { count, decodeTimes, shifts } = samples;
  const at = (sample: number) => decodeTimes[sample] ?? 0;
  const last = count - 1;
  const length = Math.round((at(Math.max(1, last)) - at(0)) / Math.max(1, last));
  if (length <= 0 || shifts?.some((shift) => shift !== shifts[0])) return null;
  let late = 0;
  for (let sample = 0; sample < count; sample += 1) late += (at(sample) - sample * length) / count;
  const first = Math.max(0, Math.round(late));
  const tolerance = TOLERANCE_SECONDS * timescale;
  for (let sample = 0; sample < count; sample += 1)
    if (Math.abs(at(sample) - sample * length - first) > tolerance) return null;
  const times = Float64Array.from({ length: count + 1 }, (_, sample) => first + sample * length);
  times[count] = first + last * length + Math.min(length, Math.max(1, at(count) - at(last)));
  return { ...samples, decodeTimes: times };
}

/** Files of QuickTime declare a size of 1 for each frame and have the true one in the entry. */
function bytesOfFrame(entry: Buffer, declared: number): number | null {
  const version = entry.readUInt16BE(AT.version);
  const field = (at: number) => (entry.length >= at + 4 ? entry.readUInt32BE(at) : 0);
  if (version === 1) return field(AT.samplesPerPacket) > 1 ? null : field(AT.bytesPerFrame) || declared;
  if (version === 2) return field(AT.framesPerPacket) === 1 ? field(AT.bytesPerPacket) : null;
  return declared;
}

/** The frames of the chunks of uncompressed sound, in pieces. */
function pieces(tables: Tables, frames: number, frameBytes: number, fileBytes: number): SampleIndex {
  const chunks = chunkPositions(tables);
  const runs = tables.entries(tables.required('stsc'), 3);
  const [offsets, sizes, times]: [number[], number[], number[]] = [[], [], [0]];
  let left = frames;
  for (let run = 0; run < runs.length && left > 0; run += 3) {
    const [first, perChunk] = [runs[run] ?? 0, runs[run + 1] ?? 0];
    const next = runs[run + 3] ?? chunks.length + 1;
    if (first < 1 || next <= first || next > chunks.length + 1) throw new Mp4Error('The chunks are not in order.');
    for (let chunk = first - 1; chunk < next - 1 && left > 0; chunk += 1) {
      let [position, inChunk] = [chunks[chunk] ?? 0, Math.min(left, perChunk)];
      left -= inChunk;
      while (inChunk > 0) {
        const length = Math.min(inChunk, PIECE_FRAMES);
        if (position + length * frameBytes > fileBytes) throw new Mp4Error('Sound lies beyond the end of the file.');
        if (offsets.length >= MAX_SAMPLES) throw new Mp4Error('There is more sound than can be indexed.');
        offsets.push(position);
        sizes.push(length * frameBytes);
        times.push((times.at(-1) ?? 0) + length);
        position += length * frameBytes;
        inChunk -= length;
      }
    }
  }
  if (left > 0 || offsets.length === 0) throw new Mp4Error('There is less sound than its table of sizes says.');
  return {
    ...{ count: offsets.length, shifts: null, sync: null, description: 1 },
    offsets: Float64Array.from(offsets),
    sizes: Uint32Array.from(sizes),
    decodeTimes: Float64Array.from(times),
  };
}
