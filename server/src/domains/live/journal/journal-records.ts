import { crc32 } from 'node:zlib';
import type { ArrivedPart } from '../packaging/arrived-part.ts';

/** An initialization segment of a track. */
export interface JournaledInit {
  readonly init: number;
  readonly track: 'video' | 'audio';
  readonly bytes: Buffer;
}

export type JournalRecord = ({ readonly kind: 'init' } & JournaledInit) | ({ readonly kind: 'part' } & ArrivedPart);

/**
 * Before each record: its length and its CRC-32, then the length of its description, which is JSON. The bytes of the
 * part follow.
 */
const HEAD_BYTES = 10;
/** Longer records are none of ours. */
const MOST_BYTES = 256 * 1024 ** 2;

/** A record as it is written, in two pieces, so that its bytes are not copied. */
export function writeRecord({ bytes, ...facts }: JournalRecord): readonly [head: Buffer, bytes: Buffer] {
  const description = Buffer.from(JSON.stringify(facts));
  const head = Buffer.concat([Buffer.alloc(HEAD_BYTES), description]);
  head.writeUInt32BE(head.length + bytes.length - HEAD_BYTES, 0);
  head.writeUInt16BE(description.length, 8);
  head.writeUInt32BE(crc32(bytes, crc32(head.subarray(8))), 4);
  return [head, bytes];
}

/** The records of a file, up to the first one that is not whole: its writing was interrupted. */
export function readRecords(file: Buffer): JournalRecord[] {
  const records: JournalRecord[] = [];
  let at = 0;
  while (at + HEAD_BYTES <= file.length) {
    const length = file.readUInt32BE(at);
    const end = at + HEAD_BYTES + length;
    if (length > MOST_BYTES || end > file.length) break;
    if (crc32(file.subarray(at + 8, end)) !== file.readUInt32BE(at + 4)) break;
    const descriptionEnd = at + HEAD_BYTES + file.readUInt16BE(at + 8);
    const description = file.toString('utf8', at + HEAD_BYTES, descriptionEnd);
    const bytes = file.subarray(descriptionEnd, end);
    records.push({ ...JSON.parse(description), bytes } as JournalRecord); // its checksum is right: we wrote it
    at = end;
  }
  return records;
}
