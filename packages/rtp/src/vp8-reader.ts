import { PacketizedFrames, type Piece, type VideoFrame } from './frame-reader.ts';

/** VP8 in RTP (RFC 7741). */
export class Vp8Reader extends PacketizedFrames {
  protected override piece(payload: Buffer): Piece | null {
    const size = descriptorBytes(payload);
    if (size >= payload.length) return null;
    // The first partition begins with this packet.
    const begins = (payload.readUInt8(0) & 0x17) === 0x10;
    return { bytes: [payload.subarray(size)], continues: !begins };
  }

  /** The lowest bit of a frame says that it depends on others (section 4.3). */
  protected override frame([data]: readonly Buffer[]): Omit<VideoFrame, 'timestamp'> | null {
    return data ? { isKeyframe: (data.readUInt8(0) & 1) === 0, data } : null;
  }
}

/** Of the payload descriptor (section 4.2). */
function descriptorBytes(payload: Buffer): number {
  const [first = 0, extended = 0, picture = 0] = payload;
  if ((first & 0x80) === 0) return 1;
  const pictureBytes = (extended & 0x80) === 0 ? 0 : (picture & 0x80) === 0 ? 1 : 2;
  const levelBytes = (extended & 0x40) === 0 ? 0 : 1;
  return 2 + pictureBytes + levelBytes + ((extended & 0x30) === 0 ? 0 : 1);
}
