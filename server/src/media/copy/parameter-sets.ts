import { type ByteSource, directoryBytes, HEAD_BYTES, readBlock, readDirectory } from '@reelgraph/mp4';
import { INDEX_PATH, type StandardPlan } from './copy-package.ts';

/** Length of the size before each NAL unit (ISO/IEC 14496-15 section 5.3.3.1); standard input has no other. */
const LENGTH_BYTES = 4;
const SEQUENCE_PARAMETERS = 7;
/** Parameter sets come before the picture. */
const READ_BYTES = 512;
const AT_ONCE = 64;

/**
 * Whether keyframes of a file bring other sequence parameter sets than the first one, as where recordings of several
 * encoders were joined: its sample description, which players decode with, is that of the beginning.
 */
export async function changesParameters(
  { files }: Pick<StandardPlan, 'files'>,
  source: Pick<ByteSource, 'read'>,
): Promise<boolean> {
  const index = Buffer.from(files.find(({ path }) => path === INDEX_PATH)?.bytes ?? []);
  const start = HEAD_BYTES + directoryBytes(index);
  const segments = readDirectory(index.subarray(HEAD_BYTES, start)).tracks.video ?? [];
  let known: Buffer | null = null;
  for (let first = 0; first < segments.length; first += AT_ONCE) {
    const places = segments.slice(first, first + AT_ONCE).flatMap(([position, length]) => {
      const { sync, sizes, offsets } = readBlock(index.subarray(start + position, start + position + length));
      return [...(sync ?? [0])].map((sample) => [offsets[sample] ?? 0, sizes[sample] ?? 0] as const);
    });
    const read = await Promise.all(places.map(([at, size]) => source.read(at, Math.min(size, READ_BYTES))));
    for (const found of read.map(parametersIn)) {
      if (found.length === 0) continue;
      known ??= found;
      if (!known.equals(found)) return true;
    }
  }
  return false;
}

/** The sequence parameter sets in the first bytes of a sample, one after the other. */
function parametersIn(sample: Buffer): Buffer {
  const found: Buffer[] = [];
  for (let at = 0; at + LENGTH_BYTES < sample.length; ) {
    const end = at + LENGTH_BYTES + sample.readUInt32BE(at);
    const unit = sample.subarray(at + LENGTH_BYTES, end);
    if (((unit[0] ?? 0) & 31) === SEQUENCE_PARAMETERS) found.push(unit);
    at = end;
  }
  return Buffer.concat(found);
}
