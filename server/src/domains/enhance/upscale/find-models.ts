import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isOwnModel, MOST_MODEL_BYTES } from '../../../media/index.ts';

/** A file in the operator's folder of models. */
export interface FoundFile {
  /** Of the model: that of the file without `.onnx`; of one that has a problem, something like it. */
  readonly name: string;
  readonly path: string;
  /** SHA-256 in hexadecimal; null where it was not read, because of the problem. */
  readonly digest: string | null;
  /** Why it cannot be used, as far as this is known without opening it. */
  readonly problem: string | null;
}

const ENDING = '.onnx';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;
const MOST_FILES = 32;

/** Finds models in a folder. Remembers the digests of files that have not changed since. */
export class ModelFiles {
  readonly #folder: string;
  readonly #digests = new Map<string, { readonly version: string; readonly digest: string }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The models of the folder, by name. @throws Error where the folder cannot be read. */
  async list(): Promise<FoundFile[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(ENDING)).sort();
    const found = new Map<string, FoundFile>();
    for (const [index, file] of names.entries()) {
      const each = await this.#find(file.slice(0, -ENDING.length), index);
      if (!found.has(each.name) || each.problem === null) found.set(each.name, each);
    }
    return [...found.values()];
  }

  /** The path of a model, if it has this digest; null otherwise. */
  async pathOf(name: string, digest: string): Promise<string | null> {
    if (!NAME.test(name)) return null;
    const path = join(this.#folder, name + ENDING);
    const status = await statusOf(path);
    return status && problemOf(name, status) === null && (await this.#digestOf(path, status)) === digest ? path : null;
  }

  async #find(stem: string, index: number): Promise<FoundFile> {
    const path = join(this.#folder, stem + ENDING);
    const name = isOwnModel(stem) ? stem + ENDING : stem.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 60) || '-';
    const status = await statusOf(path);
    const tooMany = index >= MOST_FILES ? `The folder has more than ${MOST_FILES} models.` : null;
    const problem = tooMany ?? (status ? problemOf(stem, status) : 'It cannot be read.');
    const digest = status && problem === null ? await this.#digestOf(path, status) : null;
    return { name, path, digest, problem };
  }

  async #digestOf(path: string, { ino, size, mtimeMs }: Stats): Promise<string> {
    const version = `${ino} ${size} ${mtimeMs}`;
    const known = this.#digests.get(path);
    if (known?.version === version) return known.digest;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const digest = hash.digest('hex');
    this.#digests.set(path, { version, digest });
    return digest;
  }
}

/** Null where there is no such file. */
function statusOf(path: string): Promise<Stats | null> {
  return stat(path).catch(() => null);
}

function problemOf(stem: string, status: Stats): string | null {
  if (!NAME.test(stem))
    return 'A name begins with a letter or a digit and has letters, digits, dots, dashes and underscores, at most 60.';
  if (isOwnModel(stem)) return 'It has the name of a model of the platform.';
  if (!status.isFile()) return 'It is not a file.';
  if (status.size > MOST_MODEL_BYTES)
    return `It has ${Math.ceil(status.size / 1024 ** 2)} MiB; ${MOST_MODEL_BYTES / 1024 ** 2} are the most.`;
  // Where the platform is root, the programs of the sandbox are other users.
  if (process.getuid?.() === 0 && (status.mode & 0o004) === 0)
    return 'Other users may not read it: run chmod a+r on it.';
  return null;
}
