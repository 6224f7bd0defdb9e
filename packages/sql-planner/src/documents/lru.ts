/**
 * A bounded map that forgets what was not used for a while. Two generations instead of an exact order: a hit in the
 * young one is a plain look-up, and when it is full the old one is dropped. Keeps at least the `limit / 2` entries
 * used last and at most `limit`.
 */
export class Lru<Key, Value> {
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  readonly #half: number;

  constructor(limit: number) {
    this.#half = Math.max(1, Math.floor(limit / 2));
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old === undefined) return undefined;
    this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    this.#old.delete(key);
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
