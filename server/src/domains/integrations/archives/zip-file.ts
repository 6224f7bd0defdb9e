import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive: its text in pieces, which are read only when it is their turn. */
export interface ZipEntry {
  readonly name: string;
  readonly text: AsyncIterable<string>;
}

const UTF8_WITH_DESCRIPTOR = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
const LARGEST = 0xffff_ffff;

interface Written {
  readonly name: Buffer;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * The bytes of a ZIP file (APPNOTE 6.3.10) of these files, all compressed, whose sizes follow after them: nothing is
 * held in memory. Throws above 4 GiB, because larger files need ZIP64.
 */
export async function* zipFile(entries: Iterable<ZipEntry>, modified: Date): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  const stamp = dosTime(modified);
  let offset = 0;
  for (const { name, text } of entries) {
    const entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset };
    const header = localHeader(entry.name, stamp);
    offset += header.length;
    yield header;
    const plain = async function* (): AsyncGenerator<Buffer> {
      for await (const piece of text) {
        const bytes = Buffer.from(piece);
        entry.crc = crc32(bytes, entry.crc);
        entry.size += bytes.length;
        yield bytes;
      }
    };
    const deflate = createDeflateRaw();
    const source = Readable.from(plain());
    source.on('error', (error) => deflate.destroy(error));
    for await (const chunk of source.pipe(deflate)) {
      entry.packed += chunk.length;
      yield chunk;
    }
    const descriptor = numbers([4, 0x0807_4b50], [4, entry.crc], [4, entry.packed], [4, entry.size]);
    offset += entry.packed + descriptor.length;
    if (offset > LARGEST || entry.size > LARGEST) throw new Error('The archive is larger than 4 GiB.');
    yield descriptor;
    written.push(entry);
  }
  const directory = Buffer.concat(written.map((entry) => centralHeader(entry, stamp)));
  yield directory;
  const [count, length] = [written.length, directory.length];
  yield numbers([4, 0x0605_4b50], [2, 0], [2, 0], [2, count], [2, count], [4, length], [4, offset], [2, 0]);
}

/** Version, flags, method, time, CRC and both sizes, and the length of the name: what both headers have. */
function common(name: Buffer, stamp: number, [crc, packed, size]: readonly [number, number, number]): Field[] {
  const kind: Field[] = [
    [2, VERSION],
    [2, UTF8_WITH_DESCRIPTOR],
    [2, DEFLATED],
    [4, stamp],
  ];
  return [...kind, [4, crc], [4, packed], [4, size], [2, name.length], [2, 0]];
}

function localHeader(name: Buffer, stamp: number): Buffer {
  return Buffer.concat([numbers([4, 0x0403_4b50], ...common(name, stamp, [0, 0, 0])), name]);
}

function centralHeader({ name, crc, packed, size, offset }: Written, stamp: number): Buffer {
  const fields = common(name, stamp, [crc, packed, size]);
  const place: Field[] = [
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, offset],
  ];
  return Buffer.concat([numbers([4, 0x0201_4b50], [2, VERSION], ...fields, ...place), name]);
}

type Field = readonly [bytes: 2 | 4, value: number];

function numbers(...fields: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of fields) at = bytes.writeUIntLE(value, at, length);
  return bytes;
}

/** Date in the upper half, time in the lower one, to two seconds. */
function dosTime(at: Date): number {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x1_0000 + time;
}
