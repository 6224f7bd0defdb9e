interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
}

/**
 * A map whose entries weigh at most `capacity` together: the ones used longest ago are dropped. An entry heavier than
 * that is not kept at all. `onDrop` gets each value that leaves, also by `delete` and when it is replaced.
 */
export class WeightedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #capacity: number;
  readonly #onDrop: (value: Value) => void;
  #weight = 0;

  constructor(capacity: number, onDrop: (value: Value) => void = () => {}) {
    this.#capacity = capacity;
    this.#onDrop = onDrop;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Of all entries together. */
  get weight(): number {
    return this.#weight;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, weight = 1): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
    this.#onDrop(entry.value);
  }

  keys(): IterableIterator<string> {
    return this.#entries.keys();
  }
}
