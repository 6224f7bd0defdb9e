/** The few MP4 boxes that the platform reads (ISO/IEC 14496-12 and -15). Pure. */

/**
 * RFC 6381 codec string of the H.264 track in an initialisation segment: the profile, constraint and level bytes of its
 * `avcC` box (ISO/IEC 14496-15 section 5.3.3.1). Null where there is none.
 */
export function avcCodecs(initSegment: Uint8Array): string | null {
  const bytes = Buffer.from(initSegment.buffer, initSegment.byteOffset, initSegment.byteLength);
  const at = bytes.indexOf('avcC', 0, 'latin1');
  // Type, configurationVersion 1, then the three bytes.
  if (at < 0 || at + 8 > bytes.length || bytes[at + 4] !== 1) return null;
  return `avc1.${bytes.toString('hex', at + 5, at + 8)}`;
}
