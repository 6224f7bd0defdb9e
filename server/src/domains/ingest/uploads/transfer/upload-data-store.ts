import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import type { ByteComparison } from '../../../../platform/storage/checksums.ts';
import { ChecksumMismatchError } from '../../../../platform/storage/receiving-store.ts';
import { checkDeclaredSize, declareSize } from '../deferred-size.ts';
import { findIngestion, type Ingestion, terminateFinished } from '../ingestions.store.ts';
import type { UploadLocker } from '../locks/upload-lock.ts';
import { UPLOAD_REST_MS } from '../open-ingestion.ts';
import { type AppendTools, appendBytes } from './append-bytes.ts';
import { checksumMismatch } from './upload-checksum.ts';

const LENGTH = 'Upload-Length';

export interface UploadDataStoreTools extends AppendTools {
  readonly locker: UploadLocker;
  /** For DELETE. */
  readonly terminate: (upload: Ingestion) => Promise<void>;
}

/** What responses say of an upload beside its offset. */
export interface UploadDescription {
  /** When it expires, while it is open. */
  readonly expiresAt: string | null;
  /** Upload-Metadata as it was sent. */
  readonly metadata: string | null;
  /** Upload-Concat; null for an upload that is neither partial nor final. */
  readonly concat: string | null;
}

export function describeUpload({
  state,
  expiresAt,
  uploadMetadata,
  isPartial,
  uploadConcat,
}: Ingestion): UploadDescription {
  return {
    expiresAt: state === 'OPEN' ? expiresAt : null,
    metadata: uploadMetadata,
    concat: isPartial ? 'partial' : uploadConcat,
  };
}

/**
 * The protocol library's view of our uploads: the row describes an upload, the receiving store its progress. The
 * library's own stores keep a second description beside the bytes, and the S3 one can lose the acknowledged end of an
 * upload in a crash.
 */
export class UploadDataStore extends DataStore {
  override extensions = [
    ...['creation', 'creation-defer-length', 'creation-with-upload', 'termination', 'expiration'],
    ...['checksum', 'concatenation'],
  ];
  readonly #comparison = new AsyncLocalStorage<ByteComparison | null>();
  readonly #tools: UploadDataStoreTools;

  constructor(tools: UploadDataStoreTools) {
    super();
    this.#tools = tools;
  }

  /** Does `work`, and compares the bytes that are written for it. The library does not pass headers on. */
  comparing<T>(comparison: ByteComparison | null, work: () => Promise<T>): Promise<T> {
    return this.#comparison.run(comparison, work);
  }

  /** The row was created with the upload's id. */
  override async create(upload: Upload): Promise<Upload> {
    return this.getUpload(upload.id);
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#find(id);
    const offset =
      row.state === 'FINISHED' ? row.receivedBytes : await this.#tools.receiving.receivedBytes(row.objectKey);
    return new Upload({
      id,
      offset,
      ...(row.sizeBytes === null ? {} : { size: row.sizeBytes }),
      metadata: { filename: row.filename, filetype: row.filetype },
      // The library adds the expiration time.
      creation_date: new Date(Date.parse(row.expiresAt) - UPLOAD_REST_MS).toISOString(),
    });
  }

  /** What the library does not know of an upload. */
  async describe(id: string): Promise<UploadDescription> {
    return describeUpload(await this.#find(id));
  }

  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const { locker } = this.#tools;
    return locker.whileWriting(id, this.#append(await this.#find(id), body, offset));
  }

  /** Fixes the size of an upload that was opened without one. */
  override async declareUploadLength(id: string, sizeBytes: number): Promise<void> {
    const row = await this.#find(id);
    const receivedBytes = await this.#tools.receiving.receivedBytes(row.objectKey);
    await declareSize(this.#tools, row, { sizeBytes, receivedBytes, field: LENGTH });
  }

  /**
   * Whether the upload has exactly this size already: clients send it again after a lost response, which the library
   * refuses.
   * @throws AppError INVALID_INPUT for a size that it cannot have.
   */
  async hasSize(id: string, sizeBytes: number): Promise<boolean> {
    const row = await this.#find(id);
    const receivedBytes = row.state === 'OPEN' ? await this.#tools.receiving.receivedBytes(row.objectKey) : 0;
    checkDeclaredSize(row, { sizeBytes, receivedBytes, field: LENGTH });
    return row.sizeBytes !== null;
  }

  /** An open upload ends with its bytes. The file of a complete one is its content's: only the address ends. */
  override async remove(id: string): Promise<void> {
    const row = await this.#find(id);
    if (row.state !== 'FINISHED') return this.#tools.terminate(row);
    await terminateFinished(this.#tools.db, id, new Date(this.#tools.clock.now()).toISOString());
  }

  override getExpiration(): number {
    return UPLOAD_REST_MS;
  }

  async #append(row: Ingestion, body: Readable, offset: number): Promise<number> {
    // The last PATCH of an upload that is already complete has no body.
    if (offset === row.sizeBytes) return offset;
    try {
      return await appendBytes(this.#tools, row, body, { offset, comparison: this.#comparison.getStore() ?? null });
    } catch (error) {
      throw error instanceof ChecksumMismatchError ? checksumMismatch() : error;
    }
  }

  async #find(id: string): Promise<Ingestion> {
    const row = await findIngestion(this.#tools.db, id);
    if (!row) throw ERRORS.FILE_NOT_FOUND;
    return row;
  }
}
