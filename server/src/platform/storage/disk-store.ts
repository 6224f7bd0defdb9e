import { randomUUID } from 'node:crypto';
import { access, createReadStream, type Stats } from 'node:fs';
import { copyFile, lstat, open, opendir, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import { Checksum, checksumOfFile, forgetChecksum, readChecksum, writeChecksum } from './checksums.ts';
import { contentTypeOf, hasFixedType } from './content-types.ts';
import { FILE_MODE, moveInto, removeEmptyFolders, writeDurably } from './disk-files.ts';
import { RECEIVING } from './disk-receiving.ts';
import { checkKey, checkPrefix, isKey } from './object-keys.ts';
import type {
  ByteRange,
  ListedObject,
  ObjectInfo,
  ObjectStore,
  PutOptions,
  SendPlan,
  StoredChecksum,
} from './object-store.ts';
import { OpenFiles } from './open-files.ts';
import { sendFile } from './send-file.ts';
import { diskError, isMissing, systemCode } from './storage-errors.ts';
import type { DiskSpace } from './storage-space.ts';

/**
 * Names with a comma are ours, since no key may contain one: `,tmp` holds files being written, `,receiving` files being
 * received, `<name>,crc` the checksum of an object, `<name>,type` the content type of an object whose name does not
 * already say it.
 */
const TEMPORARY = ',tmp';
const TYPE_SUFFIX = ',type';
const OWN_FOLDERS = [TEMPORARY, RECEIVING];

/**
 * Objects as plain files under one folder. A key cannot be a folder of another key here, so callers must not rely on
 * that.
 */
export class DiskStore implements ObjectStore {
  readonly #root: string;
  readonly #space: DiskSpace | null;
  readonly #sent = new OpenFiles({ describe: async (path, stats) => infoOf(stats, await typeAt(path)) });

  /** With `space`, `put` stops where the disk's reserve begins. */
  constructor(root: string, space: DiskSpace | null = null) {
    this.#root = resolve(root);
    this.#space = space;
  }

  async put(key: string, body: Buffer | Readable, options: PutOptions): Promise<ObjectInfo> {
    const temporary = this.#temporaryPath();
    try {
      const path = this.#pathOf(key);
      await this.#space?.requireFreeSpace();
      const sum = new Checksum();
      await writeDurably(temporary, this.#space && !Buffer.isBuffer(body) ? this.#space.untilFull(body) : body, sum);
      return await this.#publish(temporary, path, options, sum.value);
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      await rm(temporary, { force: true });
      throw diskError(error);
    }
  }

  async putFile(key: string, source: string, options: PutOptions): Promise<ObjectInfo> {
    const temporary = this.#temporaryPath();
    try {
      const path = this.#pathOf(key);
      await this.#takeOver(source, temporary);
      return await this.#publish(temporary, path, options, await checksumOfFile(temporary));
    } catch (error) {
      await rm(temporary, { force: true });
      throw diskError(error);
    }
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const path = this.#pathOf(key);
    const stats = await fileStats(path);
    return stats && infoOf(stats, await typeAt(path));
  }

  async read(key: string, range?: ByteRange): Promise<{ info: ObjectInfo; stream: Readable } | null> {
    const path = this.#pathOf(key);
    const file = await open(path, 'r').catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw diskError(error);
    });
    if (!file) return null;
    try {
      const stats = await file.stat();
      if (!stats.isFile()) {
        await file.close();
        return null;
      }
      const info = infoOf(stats, await typeAt(path));
      // The open file stays readable in full although the object may be replaced or deleted meanwhile.
      return { info, stream: createReadStream(path, { fd: file, highWaterMark: 256 * 1024, ...range }) };
    } catch (error) {
      await file.close();
      throw diskError(error);
    }
  }

  async send(key: string, out: ServerResponse, { begin }: SendPlan): Promise<boolean> {
    const file = await this.#sent.acquire(this.#pathOf(key));
    if (!file) return false;
    try {
      const part = begin(file.info);
      if (part === 'nothing') return true;
      const { start, end } = part === 'whole' ? { start: 0, end: file.info.sizeBytes - 1 } : part;
      if (file.bytes) out.end(file.bytes.subarray(start, end + 1));
      else await sendFile(file.descriptor, { start, end }, out);
      return true;
    } finally {
      file.release();
    }
  }

  async withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T> {
    const path = this.#pathOf(key);
    if (!(await fileStats(path)))
      throw new AppError('RESOURCE_NOT_FOUND', t`The stored file is gone.`, {
        suggestedFix: t`Upload the file again.`,
      });
    return use(path);
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(key);
    if (!(await fileStats(path))) return;
    await rm(path, { force: true });
    await rm(path + TYPE_SUFFIX, { force: true });
    await forgetChecksum(path);
    this.#sent.forget(path);
    await removeEmptyFolders(dirname(path), this.#root);
  }

  async deletePrefix(prefix: string): Promise<void> {
    checkPrefix(prefix);
    const folder = join(this.#root, prefix);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    this.#sent.forgetBelow(folder);
    await removeEmptyFolders(dirname(folder), this.#root);
  }

  async checksum(key: string): Promise<StoredChecksum | null> {
    const path = this.#pathOf(key);
    const [stored, stats] = [await readChecksum(path), await fileStats(path)];
    return stored && stored.sizeBytes === stats?.size ? { crc32: stored.crc32 } : null;
  }

  async *list(prefix: string): AsyncIterable<ListedObject> {
    checkPrefix(prefix);
    for await (const { name, path } of this.#below(prefix)) {
      const stats = isKey(name) ? await fileStats(path) : null;
      if (stats) yield listed(name, stats);
    }
  }

  async *entries(): AsyncIterable<ListedObject> {
    for await (const { name, path } of this.#below('')) {
      const [, object] = /^(.+),(?:type|crc)$/.exec(path) ?? [];
      if (object !== undefined && (await fileStats(object))) continue;
      const stats = await lstat(path).catch(() => null);
      if (stats) yield listed(name, stats);
    }
  }

  /** Everything below a prefix but the folders themselves and what is being written. */
  async *#below(prefix: string): AsyncIterable<{ readonly name: string; readonly path: string }> {
    const folder = await opendir(join(this.#root, prefix)).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw diskError(error);
    });
    // The iterator closes the folder, also when the caller leaves.
    for await (const entry of folder ?? []) {
      if (prefix === '' && OWN_FOLDERS.includes(entry.name)) continue;
      const name = prefix + entry.name;
      if (entry.isDirectory()) yield* this.#below(`${name}/`);
      else yield { name, path: join(this.#root, name) };
    }
  }

  /** The type goes first: a crash between the two leaves the old object, at worst with the type of the new one. */
  async #publish(temporary: string, path: string, { contentType }: PutOptions, crc32: number): Promise<ObjectInfo> {
    const implied = contentTypeOf(path) === contentType;
    if (!implied && hasFixedType(path)) throw new Error(`${path} cannot be stored as ${contentType}.`);
    if (!implied) {
      const typeFile = this.#temporaryPath();
      await writeDurably(typeFile, Buffer.from(contentType));
      await moveInto(typeFile, path + TYPE_SUFFIX);
    }
    // A crash after the move leaves the object without a checksum, never with that of the old one.
    await forgetChecksum(path);
    await moveInto(temporary, path);
    if (implied) await rm(path + TYPE_SUFFIX, { force: true });
    this.#sent.forget(path);
    const stats = await stat(path);
    await writeChecksum(path, { crc32, sizeBytes: stats.size });
    return infoOf(stats, contentType);
  }

  /** Moves the file into the store's file system, flushed and private. */
  async #takeOver(source: string, temporary: string): Promise<void> {
    const file = await open(source, 'r');
    try {
      await file.chmod(FILE_MODE);
      await file.sync();
    } finally {
      await file.close();
    }
    try {
      await moveInto(source, temporary);
    } catch (error) {
      if (systemCode(error) !== 'EXDEV') throw error;
      await copyFile(source, temporary);
      const copy = await open(temporary, 'r');
      await copy.sync().finally(() => copy.close());
      await rm(source, { force: true });
    }
  }

  #pathOf(key: string): string {
    checkKey(key);
    return join(this.#root, key);
  }

  #temporaryPath(): string {
    return join(this.#root, TEMPORARY, randomUUID());
  }
}

/** Removes temporary files of killed writers; called once at startup, before anything is written. */
export async function clearTemporaryFiles(root: string): Promise<void> {
  const folder = join(resolve(root), TEMPORARY);
  // Another instance on the same folder may be writing: only files unchanged for a day are garbage.
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const stats = await fileStats(join(folder, name));
    if (stats && Date.now() - stats.mtimeMs > 86_400_000) await rm(join(folder, name), { force: true });
  }
}

async function fileStats(path: string): Promise<Stats | null> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? stats : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw diskError(error);
  }
}

async function typeAt(path: string): Promise<string> {
  // Most have none, and the error of a failed reading costs more than this question.
  if (hasFixedType(path) || !(await isThere(path + TYPE_SUFFIX))) return contentTypeOf(path);
  try {
    return await readFile(path + TYPE_SUFFIX, 'utf8');
  } catch (error) {
    if (isMissing(error)) return contentTypeOf(path);
    throw diskError(error);
  }
}

function listed(key: string, { size, mtimeMs }: Stats): ListedObject {
  return { key, sizeBytes: size, modifiedAtMs: Math.trunc(mtimeMs) };
}

function isThere(path: string): Promise<boolean> {
  return new Promise((resolve) => access(path, (error) => resolve(!isMissing(error))));
}

function infoOf(stats: Stats, contentType: string): ObjectInfo {
  const version = [stats.ino, stats.size, Math.round(stats.mtimeMs * 1000)].map((part) => part.toString(36)).join('-');
  return { sizeBytes: stats.size, contentType, etag: `"${version}"`, modifiedAtMs: Math.trunc(stats.mtimeMs) };
}
