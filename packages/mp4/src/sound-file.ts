import { box, fullBox, text, word } from './box-writer.ts';
import type { ByteSource } from './byte-source.ts';
import { readSamples } from './cut-segment.ts';
import type { SampleIndex } from './sample-index.ts';
import { movieHeader, trackBox } from './track-box.ts';

/** How a decoder reads the samples of a track. */
export interface SoundFormat {
  /** The sample entry. */
  readonly entry: Buffer;
  readonly timescale: number;
  /** See `SoundTrack`. */
  readonly frameBytes: number | null;
}

/**
 * A file with only these samples of a track of sound, which begins with the first of them at time 0. `source` is the
 * file that they lie in.
 * @throws Mp4Error where it ends before a sample.
 */
export async function soundFile(
  { entry, timescale, frameBytes }: SoundFormat,
  samples: SampleIndex,
  source: Pick<ByteSource, 'read'>,
): Promise<Buffer> {
  const data = await readSamples(source, samples);
  const duration = (samples.decodeTimes[samples.count] ?? 0) - (samples.decodeTimes[0] ?? 0);
  const count = frameBytes === null ? samples.count : duration;
  const sizes = frameBytes === null ? [0, count, ...samples.sizes] : [frameBytes, count];
  const movie = (dataStart: number) =>
    box(
      'moov',
      movieHeader({ timescale, duration }, 2),
      trackBox({
        ...{ id: 1, kind: 'audio', width: 0, height: 0, language: null, edit: null },
        media: { timescale, duration },
        tables: [
          fullBox('stsd', 0, 0, 1, entry),
          timesBox(samples, frameBytes !== null),
          fullBox('stsc', 0, 0, 1, 1, count, 1),
          fullBox('stsz', 0, 0, Buffer.concat(sizes.map(word))),
          fullBox('stco', 0, 0, 1, dataStart),
        ],
      }),
    );
  // QuickTime's sample entries have fields of their own.
  const type = box('ftyp', text('qt  '), 0x200, text('qt  '));
  const dataStart = type.length + movie(0).length + 8;
  return Buffer.concat([type, movie(dataStart), box('mdat', ...data)]);
}

function timesBox({ count, decodeTimes }: SampleIndex, isUncompressed: boolean): Buffer {
  const at = (sample: number) => decodeTimes[sample] ?? 0;
  if (isUncompressed) return fullBox('stts', 0, 0, 1, at(count) - at(0), 1);
  const last = at(count) - at(count - 1);
  const length = count > 1 ? at(1) - at(0) : last;
  return fullBox('stts', 0, 0, 2, count - 1, length, 1, last);
}
