/** Writes boxes (ISO/IEC 14496-12 section 4.2). */

/** A box of parts: numbers are 32-bit words. */
export function box(type: string, ...parts: readonly (Buffer | number)[]): Buffer {
  const content = parts.map((part) => (typeof part === 'number' ? word(part) : part));
  const size = content.reduce((sum, { length }) => sum + length, 8);
  return Buffer.concat([word(size), Buffer.from(type, 'latin1'), ...content], size);
}

/** A box with version and flags. */
export function fullBox(type: string, version: number, flags: number, ...parts: readonly (Buffer | number)[]): Buffer {
  return box(type, version * 0x1000000 + flags, ...parts);
}

export function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value | 0);
  return bytes;
}

export function long(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

export function text(value: string): Buffer {
  return Buffer.from(value, 'latin1');
}
