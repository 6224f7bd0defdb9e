import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import type { Clock } from '../../../../platform/clock.ts';
import type { Database } from '../../../../platform/db/database.ts';
import type { ReceivingStore } from '../../../../platform/storage/receiving-store.ts';
import type { StorageSpace } from '../../../../platform/storage/storage-space.ts';
import { requirePromise } from '../../quota/reserve-space.ts';
import { findIngestion, type Ingestion, noteReceived } from '../ingestions.store.ts';
import { UPLOAD_REST_MS } from '../open-ingestion.ts';
import type { UploadLocker } from './upload-lock.ts';

export interface UploadDataStoreTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly receiving: ReceivingStore;
  readonly locker: UploadLocker;
  readonly space: StorageSpace;
  /** For DELETE. */
  readonly terminate: (upload: Ingestion) => Promise<void>;
}

/**
 * The protocol library's view of our uploads: the row describes an upload, the receiving store its progress. The
 * library's own stores keep a second description beside the bytes, and the S3 one can lose the acknowledged end of an
 * upload in a crash.
 */
export class UploadDataStore extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];
  readonly #tools: UploadDataStoreTools;

  constructor(tools: UploadDataStoreTools) {
    super();
    this.#tools = tools;
  }

  /** The row was created with the upload's id. */
  override async create(upload: Upload): Promise<Upload> {
    return this.getUpload(upload.id);
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#find(id);
    const offset = row.state === 'FINISHED' ? row.sizeBytes : await this.#tools.receiving.receivedBytes(row.objectKey);
    return new Upload({
      id,
      offset,
      size: row.sizeBytes,
      metadata: { filename: row.filename, filetype: row.filetype },
      // The library adds the expiration time.
      creation_date: new Date(Date.parse(row.expiresAt) - UPLOAD_REST_MS).toISOString(),
    });
  }

  /** When an open upload expires, and the metadata that it was created with as it was sent. */
  async describe(id: string): Promise<{ readonly expiresAt: string | null; readonly metadata: string | null }> {
    const { state, expiresAt, uploadMetadata } = await this.#find(id);
    return { expiresAt: state === 'OPEN' ? expiresAt : null, metadata: uploadMetadata };
  }

  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const { locker } = this.#tools;
    return locker.whileWriting(id, this.#append(await this.#find(id), body, offset));
  }

  override async remove(id: string): Promise<void> {
    await this.#tools.terminate(await this.#find(id));
  }

  override getExpiration(): number {
    return UPLOAD_REST_MS;
  }

  async #append(row: Ingestion, body: Readable, offset: number): Promise<number> {
    const { receiving, db, clock } = this.#tools;
    // The last PATCH of an upload that is already complete has no body.
    if (offset === row.sizeBytes) return offset;
    await requirePromise(this.#tools, row);
    const received = await receiving.append(row.objectKey, body, { offset, sizeBytes: row.sizeBytes });
    await noteReceived(db, row.id, received, new Date(clock.now() + UPLOAD_REST_MS).toISOString());
    return received;
  }

  async #find(id: string): Promise<Ingestion> {
    const row = await findIngestion(this.#tools.db, id);
    if (!row) throw ERRORS.FILE_NOT_FOUND;
    return row;
  }
}
