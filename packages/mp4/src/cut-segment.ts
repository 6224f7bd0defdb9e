import { Mp4Error } from './boxes.ts';
import type { ByteSource } from './byte-source.ts';
import { mediaSegment } from './fragment.ts';
import type { SampleIndex } from './sample-index.ts';
import { withoutUserData } from './user-data.ts';

/** Samples closer together than this are read at once: a request to a store costs more than the bytes between them. */
const MAX_GAP_BYTES = 256 * 1024;

/**
 * A media segment of `samples`, with their bytes from `source`, in which the samples of other tracks lie between them.
 * User data within a picture is dropped. `number` counts from 1.
 * @throws Mp4Error where the source ends before a sample.
 */
export async function cutSegment(
  source: Pick<ByteSource, 'read'>,
  samples: SampleIndex,
  kind: 'video' | 'audio',
  number: number,
): Promise<Buffer> {
  const data = await readSamples(source, samples);
  return mediaSegment(samples, 0, kind === 'video' ? data.map(withoutUserData) : data, number);
}

/** The bytes of samples, in their order. @throws Mp4Error where the source ends before one. */
export async function readSamples(source: Pick<ByteSource, 'read'>, samples: SampleIndex): Promise<Buffer[]> {
  const parts = spansOf(samples);
  const read = await Promise.all(parts.map(({ start, end }) => source.read(start, end - start)));
  const data: Buffer[] = [];
  for (const [index, { start, end, first, last }] of parts.entries()) {
    const bytes = read[index] ?? Buffer.alloc(0);
    if (bytes.length < end - start) throw new Mp4Error('The source ends before a sample.');
    for (let sample = first; sample <= last; sample += 1) {
      const at = (samples.offsets[sample] ?? 0) - start;
      data.push(bytes.subarray(at, at + (samples.sizes[sample] ?? 0)));
    }
  }
  return data;
}

interface Span {
  readonly start: number;
  end: number;
  readonly first: number;
  last: number;
}

/** Ranges of the source that hold all samples, in their order. */
function spansOf({ count, offsets, sizes }: SampleIndex): Span[] {
  const spans: Span[] = [];
  for (let sample = 0; sample < count; sample += 1) {
    const start = offsets[sample] ?? 0;
    const end = start + (sizes[sample] ?? 0);
    const span = spans.at(-1);
    if (span !== undefined && start >= span.end && start - span.end <= MAX_GAP_BYTES) {
      span.end = end;
      span.last = sample;
    } else spans.push({ start, end, first: sample, last: sample });
  }
  return spans;
}
