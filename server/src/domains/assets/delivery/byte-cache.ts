/** A value and its size; one of 0 bytes is not kept. */
export interface Sized<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/**
 * Values that are loaded once for all concurrent callers, and kept up to a number of bytes in all: the least recently
 * used leave first. One that takes more than a quarter of the cache is not kept.
 */
export class ByteCache<Value> {
  readonly #maxBytes: number;
  readonly #kept = new Map<string, Sized<Value>>();
  readonly #loading = new Map<string, Promise<Sized<Value>>>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  async get(key: string, load: () => Promise<Sized<Value>>): Promise<Value> {
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept.value;
    }
    let loading = this.#loading.get(key);
    if (!loading) {
      loading = load().finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
      loading.then(
        (loaded) => this.#keep(key, loaded),
        () => {},
      );
    }
    return (await loading).value;
  }

  #keep(key: string, loaded: Sized<Value>): void {
    if (loaded.bytes === 0 || loaded.bytes > this.#maxBytes / 4) return;
    this.#kept.set(key, loaded);
    this.#bytes += loaded.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
