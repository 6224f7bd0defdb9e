import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from './media-types.ts';

export type Coding = 'br' | 'gzip';

const compress = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
} as const satisfies Record<Coding, (bytes: Buffer) => Promise<Buffer>>;

/** The content coding for an Accept-Encoding; brotli wins a tie, and without the header there is none. */
export function chooseCoding(acceptEncoding: string | undefined): Coding | null {
  if (!acceptEncoding) return null;
  // Codings are negotiated like media types of one part; "identity" means no coding.
  const accepted = acceptEncoding.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .replace(/^(\w+|\*)/, (name) => (name === '*' ? '*/*' : `x/${name}`)),
  );
  const present = (['br', 'gzip'] as const).filter((coding) => negotiate(accepted.join(','), [`x/${coding}`]) !== null);
  return present[0] ?? null;
}

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
      pending = content ? compress[coding](content) : this.#make(path, coding);
      pending.then(
        (bytes) => this.#account(key, bytes.length),
        () => this.#kept.delete(key),
      );
    }
    this.#kept.set(key, pending);
    return pending;
  }

  async #make(path: string, coding: Coding): Promise<Buffer> {
    const beside = await readFile(`${path}.${coding === 'br' ? 'br' : 'gz'}`).catch(() => null);
    return beside ?? compress[coding](await readFile(path));
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
