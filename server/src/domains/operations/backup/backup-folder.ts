import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, createGzip } from 'node:zlib';
import type { Config } from '../../../platform/config/config.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { openStoreAt } from '../../../platform/storage/open-address.ts';
import { DamagedBackupError } from './backup-error.ts';
import { SEAL_BYTES, seal, unseal } from './sealed.ts';

const CONTENT_TYPE = 'application/octet-stream';

/** A sealed file of a backup. */
export interface BackupFile {
  readonly path: string;
  /** Without the seal. */
  readonly sizeBytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** A folder with backups, on a disk or in a bucket. Paths are relative to it. */
export class BackupFolder {
  readonly address: string;
  readonly #store: ObjectStore;
  readonly #prefix: string;

  constructor(address: string, { store, prefix }: { readonly store: ObjectStore; readonly prefix: string }) {
    this.address = address;
    this.#store = store;
    this.#prefix = prefix;
  }

  /** Writes a sealed file and reads it again. `sizeBytes`: about how many there are. */
  async write(path: string, chunks: AsyncIterable<Buffer>, sizeBytes: number): Promise<BackupFile> {
    let file: BackupFile | null = null;
    const sealed = seal(chunks, (sha256, bytes) => {
      file = { path, sizeBytes: bytes, sha256 };
    });
    const options = { contentType: CONTENT_TYPE, sizeBytes: sizeBytes + SEAL_BYTES };
    await this.#store.put(this.#prefix + path, Readable.from(sealed, { objectMode: false }), options);
    const written = file ?? missing(path);
    await this.check(written);
    return written;
  }

  /** As `write`, compressed with gzip. */
  writeCompressed(path: string, chunks: AsyncIterable<Buffer>, sizeBytes: number): Promise<BackupFile> {
    const gzip = createGzip({ level: 1 });
    // An error of the source is the error of the stream, and of the file that is written from it.
    pipeline(Readable.from(chunks, { objectMode: false }), gzip, () => {});
    return this.write(path, gzip, sizeBytes);
  }

  /** The file at `path` if it has this size; it was read again when it was written. */
  async find(path: string, sizeBytes: number): Promise<BackupFile | null> {
    const info = await this.#store.head(this.#prefix + path);
    if (info?.sizeBytes !== sizeBytes + SEAL_BYTES) return null;
    const range = { start: sizeBytes, end: sizeBytes + SEAL_BYTES - 1 };
    const found = await this.#store.read(this.#prefix + path, range);
    return found && { path, sizeBytes, sha256: (await buffer(found.stream)).toString('hex') };
  }

  /**
   * The bytes of a file.
   * @throws DamagedBackupError where it is missing, or after its last byte where it has changed.
   */
  async *read({ path, sha256 }: BackupFile): AsyncIterable<Buffer> {
    const found = await this.#store.read(this.#prefix + path);
    if (!found) missing(path);
    else yield* unseal(found.stream, path, sha256);
  }

  /** As `read`, of a compressed file. */
  readCompressed(file: BackupFile): AsyncIterable<Buffer> {
    return pipeline(Readable.from(this.read(file), { objectMode: false }), createGunzip(), () => {});
  }

  /** Reads a file as a whole. @throws DamagedBackupError where it is missing or has changed. */
  async check(file: BackupFile): Promise<void> {
    for await (const _ of this.read(file));
  }

  /** A file without a seal, written at once. */
  async writeText(path: string, text: string): Promise<void> {
    await this.#store.put(this.#prefix + path, Buffer.from(text), { contentType: CONTENT_TYPE });
  }

  /** Null where there is no such file. */
  async readText(path: string): Promise<string | null> {
    const found = await this.#store.read(this.#prefix + path);
    return found && (await buffer(found.stream)).toString('utf8');
  }

  /** Paths of all files below a folder, which ends with `/`. */
  async *list(folder: string): AsyncIterable<string> {
    for await (const { key } of this.#store.list(this.#prefix + folder)) yield key.slice(this.#prefix.length);
  }

  async delete(path: string): Promise<void> {
    await this.#store.delete(this.#prefix + path);
  }

  async deleteFolder(folder: string): Promise<void> {
    await this.#store.deletePrefix(this.#prefix + folder);
  }
}

function missing(path: string): never {
  throw new DamagedBackupError(`${path} is missing.`);
}

/** The folder or bucket of an argument of a command. */
export async function openBackupFolder(address: string, config: Config): Promise<BackupFolder> {
  return new BackupFolder(address, await openStoreAt(address, config));
}
