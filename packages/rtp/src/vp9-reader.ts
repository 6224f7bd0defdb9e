import { PacketizedFrames, type Piece, type VideoFrame } from './frame-reader.ts';

/** Flags of the payload descriptor (RFC 9628 section 4.2). */
const FLAG = { picture: 0x80, predicted: 0x40, layers: 0x20, flexible: 0x10, begins: 0x08, structure: 0x02 } as const;
const MOST_REFERENCES = 3;

/** VP9 in RTP (RFC 9628), with one spatial layer. */
export class Vp9Reader extends PacketizedFrames {
  #isPredicted = false;

  protected override piece(payload: Buffer): Piece | null {
    const size = descriptorBytes(payload);
    if (size >= payload.length) return null;
    const flags = payload.readUInt8(0);
    this.#isPredicted = (flags & FLAG.predicted) !== 0;
    return { bytes: [payload.subarray(size)], continues: (flags & FLAG.begins) === 0 };
  }

  protected override frame([data]: readonly Buffer[]): Omit<VideoFrame, 'timestamp'> | null {
    return data ? { isKeyframe: !this.#isPredicted, data } : null;
  }
}

/** As many as the payload has, where it ends within them. */
function descriptorBytes(payload: Buffer): number {
  const at = (index: number) => payload[index] ?? 0;
  const flags = at(0);
  let size = 1;
  if (flags & FLAG.picture) size += (at(size) & 0x80) === 0 ? 1 : 2;
  if (flags & FLAG.layers) size += (flags & FLAG.flexible) === 0 ? 2 : 1;
  if ((flags & FLAG.flexible) !== 0 && (flags & FLAG.predicted) !== 0) {
    let references = 0;
    do references += 1;
    while ((at(size + references - 1) & 1) === 1 && references < MOST_REFERENCES);
    size += references;
  }
  return (flags & FLAG.structure) === 0 ? size : size + structureBytes(payload.subarray(size));
}

/** Of the scalability structure: sizes of layers, and the pictures of a group (section 4.2.1). */
function structureBytes(structure: Buffer): number {
  const first = structure[0] ?? 0;
  let size = 1;
  if (first & 0x10) size += 4 * ((first >> 5) + 1);
  if ((first & 0x08) === 0) return size;
  const pictures = structure[size] ?? 0;
  size += 1;
  for (let each = 0; each < pictures; each += 1) size += 1 + (((structure[size] ?? 0) >> 2) & 3);
  return size;
}
