/** Frames in a row, each of which leads to the next one, that are no coincidence. */
const FRAMES = 5;

/** Bit rates in kbit/s by their index (ISO/IEC 11172-3 section 2.4.2.3, ISO/IEC 13818-3 section 2.4.2.3). */
const BIT_RATES: Readonly<Record<string, readonly number[]>> = {
  'MPEG-1 II': [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  'MPEG-1 III': [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  'MPEG-2': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;

/**
 * Where MPEG audio of layer II or III begins after something else, such as what a broken download or a tag of unknown
 * kind left in front of it; null where there is none. Pure.
 */
export function findMpegAudio(bytes: Buffer): number | null {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) if (leads(bytes, at)) return at;
  return null;
}

function leads(bytes: Buffer, start: number): boolean {
  let at = start;
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const length = frameBytes(bytes, at);
    if (length === null) return false;
    at += length;
  }
  return true;
}

/** The length of the frame at a position; null where there is no head of one. */
function frameBytes(bytes: Buffer, at: number): number | null {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return null;
  const [second, third] = [bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  // Layer II is 2, III is 1; version 1 is reserved, 0 is MPEG-2.5, 2 is MPEG-2, 3 is MPEG-1.
  if (second >> 5 !== 7 || version === 1 || (layer !== 1 && layer !== 2)) return null;
  const kilobits = BIT_RATES[version === 3 ? (layer === 2 ? 'MPEG-1 II' : 'MPEG-1 III') : 'MPEG-2']?.[(third >> 4) - 1];
  const rate = SAMPLE_RATES[(third >> 2) & 3];
  if (kilobits === undefined || rate === undefined) return null;
  const sampleRate = rate / (version === 3 ? 1 : version === 2 ? 2 : 4);
  // 1152 samples, of layer III in MPEG-2 half of them.
  const samples = layer === 1 && version !== 3 ? 576 : 1152;
  return Math.floor(((samples / 8) * 1000 * kilobits) / sampleRate) + ((third >> 1) & 1);
}
