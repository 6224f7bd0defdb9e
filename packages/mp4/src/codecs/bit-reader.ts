/** Reads bits of a NAL unit's payload, most significant first. Past the end they are 0. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Bits that were read. */
  get position(): number {
    return this.#at;
  }

  /** Skips to the next byte, if it is within one. */
  align(): void {
    this.#at = 8 * Math.ceil(this.#at / 8);
  }

  bits(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, this.#at += 1)
      value = value * 2 + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1);
    return value;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  /** An unsigned Exp-Golomb code (ITU-T H.264 section 9.1); of at most 32 leading zeros. */
  unsigned(): number {
    let zeros = 0;
    while (zeros < 32 && this.bits(1) === 0) zeros += 1;
    return 2 ** zeros - 1 + this.bits(zeros);
  }
}

/** The payload of a NAL unit without the bytes that keep start codes out of it (section 7.4.1). */
export function unescaped(nal: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  let zeros = 0;
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
