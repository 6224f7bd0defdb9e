import { type Box, BoxBudget, boxesIn, Mp4Error } from './boxes.ts';
import { type AacConfig, readAacConfig } from './codecs/aac-config.ts';
import { av1Codecs, hevcCodecs } from './codecs/codec-strings.ts';
import { readH264Sps } from './codecs/h264-sps.ts';
import type { Movie, Track } from './movie.ts';

/** H.264 as its decoder configuration declares it (ISO/IEC 14496-15 section 5.3.3.1, ITU-T H.264 section 7.3.2.1). */
export interface H264Entry {
  readonly kind: 'h264';
  /** RFC 6381. */
  readonly codecs: string;
  readonly width: number;
  readonly height: number;
  /** 1 is 4:2:0. */
  readonly chromaFormat: number;
  readonly bitDepth: number;
  readonly interlaced: boolean;
  /** Width to height of a pixel. */
  readonly pixelAspect: readonly [number, number];
  /** Bytes of the length before each NAL unit: 1, 2 or 4. */
  readonly lengthBytes: number;
  /** The whole entry, for an initialisation segment. */
  readonly bytes: Buffer;
}

/**
 * Pictures that are put into segments and otherwise not looked at: HEVC (ISO/IEC 14496-15 section 8.4.1), and AV1 (AV1
 * in ISO Base Media File Format, section 2.2).
 */
export interface AddedEntry {
  readonly kind: 'hevc' | 'av1';
  /** RFC 6381. */
  readonly codecs: string;
  readonly width: number;
  readonly height: number;
  /** The whole entry. */
  readonly bytes: Buffer;
}

/** AAC as its decoder configuration declares it (ISO/IEC 14496-1 section 7.2.6.5). */
export interface AacEntry extends AacConfig {
  readonly kind: 'aac';
  readonly codecs: string;
  readonly bytes: Buffer;
}

/** AC-3 or E-AC-3 (ETSI TS 102 366 annex F). */
export interface DolbyEntry {
  readonly kind: 'dolby';
  readonly codecs: 'ac-3' | 'ec-3';
  readonly bytes: Buffer;
}

export interface OtherEntry {
  readonly kind: 'other';
  /** Four characters, `hvc1`. */
  readonly type: string;
}

/** An entry whose samples can be put into segments. */
export type KnownEntry = VideoEntry | AacEntry | DolbyEntry;
export type VideoEntry = H264Entry | AddedEntry;
export type SampleEntry = KnownEntry | OtherEntry;

/** Bytes of a visual sample entry before its boxes (ISO/IEC 14496-12 section 12.1.3), and of an audio one (12.2.3). */
const VISUAL_BYTES = 78;
const AUDIO_BYTES = 28;

/** The sample descriptions of a track (section 8.5.2). Pure. @throws Mp4Error where they are malformed. */
export function readSampleEntries({ bytes }: Movie, track: Track): SampleEntry[] {
  const table = track.tables.get('stsd');
  if (table === undefined) throw new Mp4Error('There are no sample descriptions.');
  const budget = new BoxBudget();
  // Version and flags, and the number of entries.
  const entries = [...boxesIn(bytes, { start: table.start + 8, end: table.end }, budget)];
  return entries.map((entry) => readSampleEntry(bytes, entry, budget));
}

/** One of them. Pure. @throws Mp4Error where it is malformed. */
export function readSampleEntry(bytes: Buffer, entry: Box, budget: BoxBudget): SampleEntry {
  const whole = bytes.subarray(entry.start - 8, entry.end);
  if (entry.type === 'avc1') return h264Entry(bytes, entry, whole, budget);
  if (entry.type === 'hvc1' || entry.type === 'av01') return addedEntry(bytes, entry, whole, budget);
  if (entry.type === 'mp4a') return aacEntry(bytes, entry, whole, budget);
  if (entry.type === 'ac-3' || entry.type === 'ec-3') return { kind: 'dolby', codecs: entry.type, bytes: whole };
  return { kind: 'other', type: entry.type };
}

function h264Entry(bytes: Buffer, entry: Box, whole: Buffer, budget: BoxBudget): SampleEntry {
  const boxes = [...boxesIn(bytes, { start: entry.start + VISUAL_BYTES, end: entry.end }, budget)];
  const configuration = boxes.find(({ type }) => type === 'avcC');
  if (configuration === undefined) throw new Mp4Error('An avc1 entry has no avcC box.');
  const avcc = bytes.subarray(configuration.start, configuration.end);
  const spsBytes = avcc.length > 8 ? avcc.readUInt16BE(6) : 0;
  if (avcc[0] !== 1 || spsBytes < 4 || 8 + spsBytes > avcc.length) throw new Mp4Error('The avcC box is malformed.');
  const aspect = boxes.find(({ type }) => type === 'pasp');
  const { chromaFormat, bitDepth, interlaced } = readH264Sps(avcc.subarray(8, 8 + spsBytes));
  return {
    kind: 'h264',
    codecs: `avc1.${avcc.toString('hex', 1, 4)}`,
    width: bytes.readUInt16BE(entry.start + 24),
    height: bytes.readUInt16BE(entry.start + 26),
    ...{ chromaFormat, bitDepth, interlaced },
    pixelAspect:
      aspect === undefined || aspect.end - aspect.start < 8
        ? [1, 1]
        : [bytes.readUInt32BE(aspect.start), bytes.readUInt32BE(aspect.start + 4)],
    lengthBytes: ((avcc[4] ?? 0) & 3) + 1,
    bytes: whole,
  };
}

/** An entry with a configuration that is too short is left to ffmpeg. */
function addedEntry(bytes: Buffer, entry: Box, whole: Buffer, budget: BoxBudget): SampleEntry {
  const [kind, box, codecsOf] =
    entry.type === 'av01' ? (['av1', 'av1C', av1Codecs] as const) : (['hevc', 'hvcC', hevcCodecs] as const);
  const boxes = [...boxesIn(bytes, { start: entry.start + VISUAL_BYTES, end: entry.end }, budget)];
  const found = boxes.find(({ type }) => type === box);
  const codecs = found && codecsOf(bytes.subarray(found.start, found.end));
  if (!codecs) return { kind: 'other', type: entry.type };
  const [width, height] = [bytes.readUInt16BE(entry.start + 24), bytes.readUInt16BE(entry.start + 26)];
  return { kind, codecs, width, height, bytes: whole };
}

export function isVideoEntry(entry: KnownEntry): entry is VideoEntry {
  return entry.kind === 'h264' || entry.kind === 'hevc' || entry.kind === 'av1';
}

function aacEntry(bytes: Buffer, entry: Box, whole: Buffer, budget: BoxBudget): SampleEntry {
  // QuickTime's versions 1 and 2 have more fields before their boxes; they are left to ffmpeg.
  if (bytes.readUInt16BE(entry.start + 8) !== 0) return { kind: 'other', type: 'mp4a' };
  const boxes = [...boxesIn(bytes, { start: entry.start + AUDIO_BYTES, end: entry.end }, budget)];
  const descriptor = boxes.find(({ type }) => type === 'esds');
  const configuration = descriptor && decoderSpecific(bytes.subarray(descriptor.start + 4, descriptor.end));
  const config = configuration && readAacConfig(configuration);
  if (!config) return { kind: 'other', type: 'mp4a' };
  return { kind: 'aac', codecs: `mp4a.40.${config.objectType}`, ...config, bytes: whole };
}

const DECODER_CONFIG = 4;
const DECODER_SPECIFIC = 5;
/** Of an elementary stream descriptor before those in it, without optional fields; of a decoder configuration. */
const STREAM_BYTES = 3;
const CONFIG_BYTES = 13;
const MPEG4_AUDIO = 0x40;

/** The configuration of the decoder within the descriptors of `esds`; null where it is not MPEG-4 audio. */
function decoderSpecific(bytes: Buffer): Buffer | null {
  const stream = descriptorIn(bytes);
  // Dependencies, URLs and clock references are of no file that stands alone.
  if (stream === null || (stream.content[2] ?? 0) >> 5 !== 0) return null;
  const config = descriptorIn(stream.content.subarray(STREAM_BYTES));
  if (config?.tag !== DECODER_CONFIG || config.content[0] !== MPEG4_AUDIO) return null;
  const specific = descriptorIn(config.content.subarray(CONFIG_BYTES));
  return specific?.tag === DECODER_SPECIFIC ? specific.content : null;
}

/**
 * Sets the buffer size and the bit rates of `esds`, of a sample entry whose boxes begin at `start`, to unknown, in
 * place (ISO/IEC 14496-1 section 7.2.6.6).
 */
export function clearBitRates(entry: Buffer, start: number): void {
  const boxes = boxesIn(entry, { start, end: entry.length }, new BoxBudget());
  const box = [...boxes].find(({ type }) => type === 'esds');
  const stream = box && descriptorIn(entry.subarray(box.start + 4, box.end));
  const config = stream && descriptorIn(stream.content.subarray(STREAM_BYTES));
  if (config?.tag === DECODER_CONFIG) config.content.fill(0, BIT_RATES.start, BIT_RATES.end);
}

/** Of a decoder configuration: 3 bytes of buffer size, 4 of the largest bit rate, 4 of the average. */
const BIT_RATES = { start: 2, end: CONFIG_BYTES };

/** The descriptor at the beginning: a tag, a length in up to four bytes of seven bits, the content. */
function descriptorIn(bytes: Buffer): { tag: number; content: Buffer } | null {
  let [at, length] = [1, 0];
  for (; at <= 4; at += 1) {
    const byte = bytes[at] ?? 0;
    length = length * 128 + (byte & 127);
    if (byte < 128) break;
  }
  const start = at + 1;
  return bytes.length < start + length ? null : { tag: bytes[0] ?? 0, content: bytes.subarray(start, start + length) };
}
