import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, type S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import type { ObjectStore } from './object-store.ts';

const MIB = 1024 * 1024;
/**
 * S3 allows 10,000 parts of at least 5 MiB, except the last; one size for all parts, since some services insist on it.
 */
const MAX_PARTS = 10_000;
const MIN_PART_BYTES = 8 * MIB;

/** Size of every part but the last of an object of `sizeBytes`. */
export function partSizeFor(sizeBytes: number): number {
  return Math.max(MIN_PART_BYTES, Math.ceil(sizeBytes / MAX_PARTS / MIB) * MIB);
}

const Journal = z.object({
  uploadId: z.string(),
  partBytes: z.number(),
  /** Whether senders store the parts by themselves; the journal then knows none of them. */
  direct: z.boolean().default(false),
  /** ETags of the full parts, in order. */
  parts: z.array(z.string()),
  /** The bytes after the full parts, in an object of their own until they fill a part. */
  tail: z.object({ key: z.string(), bytes: z.number() }).nullable(),
  /** Set when the last, shorter part is in. */
  totalBytes: z.number().nullable(),
});
export type Journal = z.infer<typeof Journal>;

/** The journal of a multipart upload without parts. */
export function newJournal(uploadId: string, sizeBytes: number, direct = false): Journal {
  return { uploadId, partBytes: partSizeFor(sizeBytes), direct, parts: [], tail: null, totalBytes: null };
}

/** Begins a multipart upload; returns its id. */
export async function beginMultipart(client: S3Client, bucket: string, key: string): Promise<string> {
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ContentType: 'application/octet-stream' }),
  );
  if (UploadId === undefined) throw new Error('The object storage began a multipart upload without an id.');
  return UploadId;
}

/** Objects beside those of uploads in progress, with what is known of their multipart uploads. */
export class UploadJournals {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async load(key: string): Promise<Journal | null> {
    const found = await this.#store.read(journalKey(key));
    return found && Journal.parse(JSON.parse((await buffer(found.stream)).toString('utf8')));
  }

  async save(key: string, journal: Journal): Promise<Journal> {
    await this.#store.put(journalKey(key), Buffer.from(JSON.stringify(journal)), { contentType: 'application/json' });
    return journal;
  }

  async delete(key: string): Promise<void> {
    await this.#store.delete(journalKey(key));
  }
}

function journalKey(key: string): string {
  return `${key}.journal`;
}
