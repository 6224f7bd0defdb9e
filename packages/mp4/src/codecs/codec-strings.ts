/** Names of codecs in manifests (RFC 6381), from the configurations that MP4 files have for decoders. Pure. */

const HVCC_BYTES = 23;

/**
 * Of HEVC (ISO/IEC 14496-15 sections 8.3.2.1 and E.3), `hvc1.1.6.L93.90`: profile, compatible profiles with the first
 * bit last, tier and level, constraints without zeros at the end. Null where the configuration is too short.
 */
export function hevcCodecs(configuration: Buffer): string | null {
  if (configuration.length < HVCC_BYTES) return null;
  const profile = configuration.readUInt8(1);
  const space = ['', 'A', 'B', 'C'][profile >> 6] ?? '';
  const tier = (profile >> 5) & 1 ? 'H' : 'L';
  const compatible = reversed(configuration.readUInt32BE(2)).toString(16).toUpperCase();
  const constraints = [...configuration.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  return [
    `hvc1.${space}${profile & 31}`,
    compatible,
    `${tier}${configuration.readUInt8(12)}`,
    ...constraints.map((byte) => byte.toString(16).toUpperCase()),
  ].join('.');
}

function reversed(bits: number): number {
  let result = 0;
  for (let bit = 0; bit < 32; bit += 1) if (bits & (1 << bit)) result += 2 ** (31 - bit);
  return result;
}

const AV1C_BYTES = 4;

/**
 * Of AV1 (AV1 in ISO Base Media File Format, section 5), `av01.0.04M.08`: profile, level and tier, bits of a sample.
 * Null where the configuration is too short.
 */
export function av1Codecs(configuration: Buffer): string | null {
  if (configuration.length < AV1C_BYTES) return null;
  const [profileAndLevel, flags] = [configuration.readUInt8(1), configuration.readUInt8(2)];
  const level = `${profileAndLevel & 31}`.padStart(2, '0');
  const [tier, high, twelve] = [flags >> 7, (flags >> 6) & 1, (flags >> 5) & 1];
  const bits = high === 0 ? '08' : twelve === 0 ? '10' : '12';
  return `av01.${profileAndLevel >> 5}.${level}${tier ? 'H' : 'M'}.${bits}`;
}
