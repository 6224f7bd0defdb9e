import type { ByteSource } from './byte-source.ts';

/** The file does not follow ISO/IEC 14496-12, or needs more work than any valid file. */
export class Mp4Error extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Mp4Error';
  }
}

/** A box (section 4.2): its type, and where its content lies. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** More boxes than these are read of no file. */
const MAX_BOXES = 10_000;
/** Sample tables of twelve hours at 60 frames per second take less than half of this. */
export const MAX_MOVIE_BYTES = 128 * 1024 ** 2;
/** The longest head of a box: size, type and a large size. */
const HEAD_BYTES = 16;

/** The boxes at the top of a file, read by their heads only. @throws Mp4Error where a size is impossible. */
export async function* topLevelBoxes(source: ByteSource): AsyncGenerator<Box> {
  const budget = new BoxBudget();
  for (let at = 0; at + 8 <= source.sizeBytes; ) {
    budget.spend();
    const box = headOf(await source.read(at, HEAD_BYTES), 0, at, source.sizeBytes);
    yield box;
    at = box.end;
  }
}

/** The content of the first box of a type at the top of a file; null without one. @throws Mp4Error above 128 MiB. */
export async function readTopLevelBox(source: ByteSource, type: string): Promise<Buffer | null> {
  for await (const box of topLevelBoxes(source)) {
    if (box.type !== type) continue;
    const length = box.end - box.start;
    if (length > MAX_MOVIE_BYTES)
      throw new Mp4Error(`The ${type} box has ${length} bytes, ${MAX_MOVIE_BYTES} at most.`);
    const bytes = await source.read(box.start, length);
    if (bytes.length < length) throw new Mp4Error(`The ${type} box is cut off.`);
    return bytes;
  }
  return null;
}

/** Counts the boxes that are read of one file. */
export class BoxBudget {
  #left = MAX_BOXES;

  spend(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new Mp4Error(`There are more than ${MAX_BOXES} boxes.`);
  }
}

/** The boxes between two positions of a buffer, in their order. @throws Mp4Error where one exceeds its parent. */
export function* boxesIn(bytes: Buffer, parent: Pick<Box, 'start' | 'end'>, budget: BoxBudget): Generator<Box> {
  for (let at = parent.start; at + 8 <= parent.end; ) {
    budget.spend();
    const box = headOf(bytes, at, at, parent.end);
    yield box;
    at = box.end;
  }
}

/** Reads the head of a box at `offset` of `bytes`, which is `position` of the file; it must end within `limit`. */
function headOf(bytes: Buffer, offset: number, position: number, limit: number): Box {
  const size = bytes.readUInt32BE(offset);
  const type = bytes.toString('latin1', offset + 4, offset + 8);
  const large = size === 1;
  if (large && offset + HEAD_BYTES > bytes.length) throw new Mp4Error(`The head of a ${type} box is cut off.`);
  const length = large ? Number(bytes.readBigUInt64BE(offset + 8)) : size === 0 ? limit - position : size;
  const start = position + (large ? HEAD_BYTES : 8);
  if (position + length < start || position + length > limit)
    throw new Mp4Error(`A ${type} box of ${length} bytes at ${position} does not fit.`);
  return { type, start, end: position + length };
}
