import { box, fullBox } from '../box-writer.ts';
import { BoxBudget, boxesIn, Mp4Error } from '../boxes.ts';
import { readAacConfig } from '../codecs/aac-config.ts';
import { av1Size } from '../codecs/av1-size.ts';
import { readH264Sps } from '../codecs/h264-sps.ts';
import { hevcSize } from '../codecs/hevc-sps.ts';
import { type AacEntry, type AddedEntry, type H264Entry, readSampleEntry, type SampleEntry } from '../sample-entry.ts';

/** Of a sample entry: reserved bytes, and the index of its data (ISO/IEC 14496-12 section 8.5.2.2). */
const ENTRY_HEAD = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]);
/** 72 pixels an inch, in 16.16 fixed point. */
const RESOLUTION = 0x480000;
const DEPTH = 24;

/**
 * The sample entry of H.264 that comes with its decoder configuration instead of a file: `avcC` without its header
 * (ISO/IEC 14496-15 section 5.3.3.1). The size is that of its sequence parameter set.
 * @throws Mp4Error where it is malformed.
 */
export function h264StreamEntry(configuration: Buffer): H264Entry {
  const spsBytes = configuration.length > 8 ? configuration.readUInt16BE(6) : 0;
  if (spsBytes < 4 || 8 + spsBytes > configuration.length) throw new Mp4Error('The avcC box is malformed.');
  const { width, height, pixelAspect } = readH264Sps(configuration.subarray(8, 8 + spsBytes));
  const read = entryOf(visualEntry('avc1', { width, height }, box('avcC', configuration), box('pasp', ...pixelAspect)));
  if (read.kind !== 'h264') throw new Mp4Error('The avcC box is malformed.');
  return read;
}

/**
 * The same for HEVC, of `hvcC` (ISO/IEC 14496-15 section 8.3.2.1).
 * @throws Mp4Error where it is malformed, or has no sequence parameter set.
 */
export function hevcStreamEntry(configuration: Buffer): AddedEntry {
  return addedEntry('hvc1', 'hevc', box('hvcC', configuration), hevcSize(configuration));
}

/**
 * The same for AV1, of `av1C` (AV1 in ISO Base Media File Format, section 2.3).
 * @throws Mp4Error where it is malformed, or has no sequence header.
 */
export function av1StreamEntry(configuration: Buffer): AddedEntry {
  return addedEntry('av01', 'av1', box('av1C', configuration), av1Size(configuration));
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function addedEntry(type: string, kind: AddedEntry['kind'], configuration: Buffer, size: Size | null): AddedEntry {
  if (size === null) throw new Mp4Error(`The configuration of ${type} does not have the size of pictures.`);
  const read = entryOf(visualEntry(type, size, configuration));
  if (read.kind !== kind) throw new Mp4Error(`The configuration of ${type} is malformed.`);
  return read as AddedEntry; // of this kind
}

/** A visual sample entry (ISO/IEC 14496-12 section 12.1.3). */
function visualEntry(type: string, { width, height }: Size, ...boxes: readonly Buffer[]): Buffer {
  if (width < 1 || height < 1 || width > 0xffff || height > 0xffff)
    throw new Mp4Error(`Pictures cannot have ${width} by ${height} pixels.`);
  const size = Buffer.alloc(4);
  size.writeUInt16BE(width, 0);
  size.writeUInt16BE(height, 2);
  const frames = Buffer.from([0, 1]); // in each sample
  const depth = Buffer.from([0, DEPTH, 0xff, 0xff]);
  const before = [ENTRY_HEAD, Buffer.alloc(16), size, RESOLUTION, RESOLUTION, 0, frames, Buffer.alloc(32), depth];
  return box(type, ...before, ...boxes);
}

/** Tags of descriptors (ISO/IEC 14496-1 section 7.2.2.1). */
const DESCRIPTOR = { stream: 3, decoder: 4, specific: 5, synchronization: 6 } as const;
/** MPEG-4 audio, as an audio stream that is not upstream (section 7.2.6.6). */
const AUDIO = Buffer.from([0x40, 0x15]);

/**
 * The sample entry of AAC that comes with its configuration instead of a file: AudioSpecificConfig (ISO/IEC 14496-3
 * section 1.6.2.1).
 * @throws Mp4Error where it is too short.
 */
export function aacStreamEntry(configuration: Buffer): AacEntry {
  const config = readAacConfig(configuration);
  if (!config) throw new Mp4Error('The configuration of AAC is too short.');
  const decoder = descriptor(
    DESCRIPTOR.decoder,
    Buffer.concat([AUDIO, Buffer.alloc(11), descriptor(DESCRIPTOR.specific, configuration)]),
  );
  const stream = descriptor(
    DESCRIPTOR.stream,
    Buffer.concat([Buffer.alloc(3), decoder, descriptor(DESCRIPTOR.synchronization, Buffer.from([2]))]),
  );
  const sound = Buffer.alloc(4);
  sound.writeUInt16BE(config.channels || 2, 0);
  sound.writeUInt16BE(16, 2); // bits of a sample
  // Rates that do not fit into 16 bits are those of the configuration alone.
  const rate = config.sampleRate > 0xffff ? 0 : config.sampleRate * 0x10000;
  const read = entryOf(box('mp4a', ENTRY_HEAD, Buffer.alloc(8), sound, 0, rate, fullBox('esds', 0, 0, stream)));
  if (read.kind !== 'aac') throw new Mp4Error('The configuration of AAC is malformed.');
  return read;
}

/** Of at most 127 bytes, or with a length of two bytes. */
function descriptor(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : [0x80 | (length >> 7), length & 0x7f];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function entryOf(bytes: Buffer): SampleEntry {
  const budget = new BoxBudget();
  const [entry] = boxesIn(bytes, { start: 0, end: bytes.length }, budget);
  if (!entry) throw new Mp4Error('There is no sample entry.');
  return readSampleEntry(bytes, entry, budget);
}
