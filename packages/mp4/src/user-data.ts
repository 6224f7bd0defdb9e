/** Length of the size before each NAL unit (ISO/IEC 14496-15 section 5.3.3.1); standard input has no other. */
const LENGTH_BYTES = 4;
const SEI = 6;
/** Payloads of SEI messages (ITU-T H.264 section D.1): registered and unregistered user data. */
const USER_DATA = new Set([4, 5]);

/**
 * A sample of H.264 without the SEI messages that carry user data, such as encoder settings or positions of cameras. A
 * NAL unit with such a message is dropped whole; decoding does not depend on SEI (section 7.4.1).
 * A sample whose NAL units do not add up is returned as it is. Pure.
 */
export function withoutUserData(sample: Buffer): Buffer {
  const kept: Buffer[] = [];
  let at = 0;
  while (at + LENGTH_BYTES <= sample.length) {
    const end = at + LENGTH_BYTES + sample.readUInt32BE(at);
    if (end > sample.length) return sample;
    const unit = sample.subarray(at + LENGTH_BYTES, end);
    if (!isUserData(unit)) kept.push(sample.subarray(at, end));
    at = end;
  }
  const bytes = kept.reduce((sum, { length }) => sum + length, 0);
  if (at !== sample.length || bytes === 0 || bytes === sample.length) return sample;
  return Buffer.concat(kept, bytes);
}

/** Whether a NAL unit is SEI with user data. Types and sizes are sums of bytes up to the first that is not 255. */
function isUserData(unit: Buffer): boolean {
  if (unit.length < 3 || ((unit[0] ?? 0) & 31) !== SEI) return false;
  let at = 1;
  const value = (): number => {
    let sum = 0;
    while (unit[at] === 255) {
      sum += 255;
      at += 1;
    }
    sum += unit[at] ?? 0;
    at += 1;
    return sum;
  };
  // The last byte holds the trailing bits.
  while (at < unit.length - 1) {
    if (USER_DATA.has(value())) return true;
    let size = value();
    // Emulation prevention bytes do not count in the size (section 7.3.1).
    for (let zeros = 0; size > 0 && at < unit.length; at += 1) {
      const byte = unit[at] ?? 0;
      if (zeros >= 2 && byte === 3) zeros = 0;
      else {
        zeros = byte === 0 ? zeros + 1 : 0;
        size -= 1;
      }
    }
  }
  return false;
}
