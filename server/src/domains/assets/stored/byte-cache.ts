import { WeightedCache } from '../../../platform/weighted-cache.ts';

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
  readonly #kept: WeightedCache<Value>;
  readonly #loading = new Map<string, Promise<Value>>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#kept = new WeightedCache(maxBytes);
  }

  async get(key: string, load: () => Promise<Sized<Value>>): Promise<Value> {
    const kept = this.#kept.get(key) ?? this.#loading.get(key);
    if (kept !== undefined) return kept;
    const loading = this.#load(key, load).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(key: string, load: () => Promise<Sized<Value>>): Promise<Value> {
    const { value, bytes } = await load();
    if (bytes > 0 && bytes <= this.#maxBytes / 4) this.#kept.set(key, value, bytes);
    return value;
  }
}
