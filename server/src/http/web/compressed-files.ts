import { readFile } from 'node:fs/promises';
import { compressSmall } from '../codings/compress.ts';
import { type Coding, codingChooser } from '../codings/content-codings.ts';

/** For copies that are kept: among equals the smallest. */
export const chooseKept = codingChooser(['br', 'zstd', 'gzip']);

const EXTENSIONS: Readonly<Record<Coding, string>> = { br: 'br', zstd: 'zst', gzip: 'gz' };

/**
 * Compressed copies of small files, created once and cached in memory up to `maxBytes` in total, the least recently
 * used dropped first. An existing file with the coding's extension is preferred.
 */
export class CompressedFiles {
  readonly #maxBytes: number;
  readonly #kept = new Map<string, Promise<Buffer>>();
  readonly #sizes = new Map<string, number>();
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes of `path` in the coding, or those of `content` if it was modified. `version` changes with the file. */
  async get(path: string, version: string, coding: Coding, content?: Buffer): Promise<Buffer> {
    const key = `${coding} ${version} ${path}`;
    let pending = this.#kept.get(key);
    if (pending) {
      this.#kept.delete(key);
    } else {
      pending = content ? compressSmall(coding, content) : this.#make(path, coding);
      pending.then(
        (bytes) => this.#account(key, bytes.length),
        () => this.#kept.delete(key),
      );
    }
    this.#kept.set(key, pending);
    return pending;
  }

  async #make(path: string, coding: Coding): Promise<Buffer> {
    const beside = await readFile(`${path}.${EXTENSIONS[coding]}`).catch(() => null);
    return beside ?? compressSmall(coding, await readFile(path));
  }

  #account(key: string, size: number): void {
    this.#sizes.set(key, size);
    this.#total += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#total <= this.#maxBytes) return;
      this.#kept.delete(oldest);
      this.#total -= this.#sizes.get(oldest) ?? 0;
      this.#sizes.delete(oldest);
    }
  }
}
