/** Makes numbers that begin again at 0 after `2 ** bits - 1` continue, in both directions (RFC 3550 section 5.1). */
export class Unwrapper {
  readonly #modulus: number;
  #last: number | null = null;

  constructor(bits: 16 | 32) {
    this.#modulus = 2 ** bits;
  }

  /** The number nearest to the one before that is equal modulo `2 ** bits`; the first one as it is. */
  unwrap(value: number): number {
    if (this.#last === null) this.#last = value;
    const step = (((value - this.#last) % this.#modulus) + this.#modulus) % this.#modulus;
    this.#last += step >= this.#modulus / 2 ? step - this.#modulus : step;
    return this.#last;
  }
}
