import type { VideoAssetId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Ingestion } from './ingestions.store.ts';

/**
 * Plays the files of uploads while they arrive. Implemented by `live`. What receives an upload calls it, and never
 * waits for what becomes of its bytes.
 */
export interface ArrivingUploads {
  /** Gets the bytes of an upload from an offset on; those before it are stored. */
  bytes(upload: Ingestion, bytes: Buffer, offset: number): void;
  /** So many bytes of an upload are stored. */
  stored(upload: Ingestion, receivedBytes: number): void;
  /**
   * Gives the video of an upload, which is played already, the file that is complete now, in the transaction that
   * finishes the upload; null where there is none.
   */
  adopt(tx: Transaction, upload: FinishedUpload): Promise<VideoAssetId | null>;
  /** Removes it, in the transaction that ends the upload without a file. */
  discard(tx: Transaction, upload: Pick<Ingestion, 'id'>): Promise<void>;
  /** The upload has ended, in either way. */
  ended(id: string): void;
}

/** An upload that has all its bytes. */
export type FinishedUpload = Ingestion & { readonly sizeBytes: number };
