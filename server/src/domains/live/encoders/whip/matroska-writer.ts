/** A track of a stream; each has one codec. */
export interface MatroskaTrack {
  readonly number: number;
  readonly codec: 'A_OPUS' | 'V_VP8' | 'V_VP9';
}

/** Ids of elements (RFC 9559 section 5). */
const ID = {
  ebml: 0x1a45dfa3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const;
/** Of a segment that goes on. */
const UNKNOWN_SIZE = Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
/** Nanoseconds of a unit of time: 0.1 ms. */
const SCALE = 100_000;
const UNITS_IN_MS = 1_000_000 / SCALE;
const OPUS_HZ = 48_000;
const OPUS_CHANNELS = 2;

/** The beginning of a stream: Matroska (RFC 9559), for a program that reads it as it comes. */
export function matroskaHeader(tracks: readonly MatroskaTrack[]): Buffer {
  const ebml = element(ID.ebml, [
    element(ID.docType, [Buffer.from('matroska')]),
    element(ID.docTypeVersion, [unsigned(4)]),
    element(ID.docTypeReadVersion, [unsigned(2)]),
  ]);
  const info = element(ID.info, [element(ID.timestampScale, [unsigned(SCALE)])]);
  const entries = element(ID.tracks, tracks.map(entryOf));
  return Buffer.concat([ebml, unsigned(ID.segment), UNKNOWN_SIZE, info, entries]);
}

/** A frame of a track, in a cluster of its own. */
export function matroskaFrame(track: number, atMs: number, isKeyframe: boolean, data: Buffer): Buffer {
  const block = Buffer.from([0x80 | track, 0, 0, isKeyframe ? 0x80 : 0]);
  return element(ID.cluster, [
    element(ID.timestamp, [unsigned(Math.round(atMs * UNITS_IN_MS))]),
    element(ID.simpleBlock, [block, data]),
  ]);
}

function entryOf({ number, codec }: MatroskaTrack): Buffer {
  const isSound = codec === 'A_OPUS';
  const rate = Buffer.alloc(4);
  rate.writeFloatBE(OPUS_HZ);
  const sound = [
    element(ID.codecPrivate, [opusHead()]),
    element(ID.audio, [element(ID.samplingFrequency, [rate]), element(ID.channels, [unsigned(OPUS_CHANNELS)])]),
  ];
  return element(ID.trackEntry, [
    element(ID.trackNumber, [unsigned(number)]),
    element(ID.trackUid, [unsigned(number)]),
    element(ID.trackType, [unsigned(isSound ? 2 : 1)]),
    element(ID.codecId, [Buffer.from(codec)]),
    ...(isSound ? sound : []),
  ]);
}

/** The identification header (RFC 7845 section 5.1), of a stream from whose beginning nothing is skipped. */
function opusHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 'latin1');
  head.writeUInt8(1, 8);
  head.writeUInt8(OPUS_CHANNELS, 9);
  head.writeUInt32LE(OPUS_HZ, 12);
  return head;
}

function element(id: number, content: readonly Buffer[]): Buffer {
  const length = content.reduce((sum, each) => sum + each.length, 0);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x10000000 + length); // 28 bits
  return Buffer.concat([unsigned(id), size, ...content]);
}

/** Without zeros before it. */
function unsigned(value: number): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}
