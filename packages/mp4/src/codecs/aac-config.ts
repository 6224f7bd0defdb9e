import { BitReader } from './bit-reader.ts';

/** The configuration of an AAC decoder (ISO/IEC 14496-3 section 1.6.2.1, AudioSpecificConfig). */
export interface AacConfig {
  /** Of the core: 2 is AAC-LC. */
  readonly objectType: number;
  /** Of the core, and 0 where it is unknown. */
  readonly sampleRate: number;
  /** 0: described within the stream. */
  readonly channels: number;
  /**
   * Spectral band replication, HE-AAC: signalled in one of the two explicit ways, or possible, because the core is slow
   * and implicit signalling says nothing (section 1.6.5).
   */
  readonly sbr: 'signalled' | 'possible' | 'none';
  /** Whether parametric stereo is signalled: HE-AAC version 2. */
  readonly parametricStereo: boolean;
}

const SAMPLE_RATES = [
  ...[96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350],
];
const CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8];
const SBR = 5;
const PARAMETRIC_STEREO = 29;
const ESCAPE = 31;
/** Types with a GASpecificConfig. */
const GENERAL: ReadonlySet<number> = new Set([1, 2, 3, 4, 6, 7]);
const SCALABLE = 6;
const SYNC_SBR = 0x2b7;
const SYNC_PARAMETRIC_STEREO = 0x548;
/** Decoders of a core that is faster have nothing above it to replicate. */
const MOST_IMPLICIT_RATE = 24_000;

/** Reads the configuration; null where it is too short. Pure. */
export function readAacConfig(bytes: Uint8Array): AacConfig | null {
  if (bytes.length < 2) return null;
  const reader = new BitReader(bytes);
  const first = objectTypeIn(reader);
  const sampleRate = sampleRateIn(reader);
  const configuration = reader.bits(4);
  const isHierarchical = first === SBR || first === PARAMETRIC_STEREO;
  if (isHierarchical) sampleRateIn(reader);
  const objectType = isHierarchical ? objectTypeIn(reader) : first;
  const described = GENERAL.has(objectType) ? generalConfig(reader, objectType, configuration) : null;
  const core = { objectType, sampleRate, channels: described ?? CHANNELS[configuration] ?? 0 };
  if (isHierarchical) return { ...core, sbr: 'signalled', parametricStereo: first === PARAMETRIC_STEREO };
  const after = GENERAL.has(objectType) ? extensionIn(reader, 8 * bytes.length) : null;
  const possible = sampleRate > 0 && sampleRate <= MOST_IMPLICIT_RATE ? 'possible' : 'none';
  return { ...core, ...(after ?? { sbr: possible, parametricStereo: false }) };
}

function objectTypeIn(reader: BitReader): number {
  const type = reader.bits(5);
  return type === ESCAPE ? 32 + reader.bits(6) : type;
}

function sampleRateIn(reader: BitReader): number {
  const index = reader.bits(4);
  return index === 15 ? reader.bits(24) : (SAMPLE_RATES[index] ?? 0);
}

/** Skips a GASpecificConfig (section 4.4.1); the channels where it describes them, otherwise null. */
function generalConfig(reader: BitReader, objectType: number, configuration: number): number | null {
  reader.flag();
  if (reader.flag()) reader.bits(14);
  reader.flag();
  const channels = configuration === 0 ? programConfig(reader) : null;
  if (objectType === SCALABLE) reader.bits(3);
  return channels;
}

/** Skips a program_config_element (section 4.4.1.1), and counts its channels. */
function programConfig(reader: BitReader): number {
  reader.bits(4 + 2 + 4);
  const [front, side, back] = [reader.bits(4), reader.bits(4), reader.bits(4)];
  const [low, associated, coupling] = [reader.bits(2), reader.bits(3), reader.bits(4)];
  if (reader.flag()) reader.bits(4);
  if (reader.flag()) reader.bits(4);
  if (reader.flag()) reader.bits(3);
  let channels = low;
  for (let element = 0; element < front + side + back; element += 1) {
    channels += reader.flag() ? 2 : 1;
    reader.bits(4);
  }
  reader.bits(4 * (low + associated) + 5 * coupling);
  reader.align();
  reader.bits(8 * reader.bits(8));
  return channels;
}

/** Backward compatible signalling after the core's configuration; null where there is none. */
function extensionIn(reader: BitReader, bits: number): Pick<AacConfig, 'sbr' | 'parametricStereo'> | null {
  if (bits - reader.position < 16 || reader.bits(11) !== SYNC_SBR || objectTypeIn(reader) !== SBR) return null;
  if (!reader.flag()) return { sbr: 'none', parametricStereo: false };
  sampleRateIn(reader);
  const isStereo = bits - reader.position >= 12 && reader.bits(11) === SYNC_PARAMETRIC_STEREO && reader.flag();
  return { sbr: 'signalled', parametricStereo: isStereo };
}
