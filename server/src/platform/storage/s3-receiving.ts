import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { checkKey } from './object-keys.ts';
import type { ObjectStore } from './object-store.ts';
import {
  type AppendOptions,
  ChecksumMismatchError,
  type DirectReceiving,
  type ReceivingStore,
  untilBroken,
} from './receiving-store.ts';
import { isS3Missing, s3Error } from './s3-client.ts';
import { S3DirectReceiving } from './s3-direct.ts';
import { beginMultipart, type Journal, newJournal, UploadJournals } from './s3-journal.ts';

/**
 * Multipart uploads, with a journal object of the acknowledged parts. The journal is written after the bytes and before
 * the response, so a crash loses only unacknowledged bytes; parts it does not list are overwritten.
 */
export class S3ReceivingStore implements ReceivingStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #store: ObjectStore;
  readonly #journals: UploadJournals;
  readonly direct: DirectReceiving;

  constructor(client: S3Client, bucket: string, store: ObjectStore) {
    this.#client = client;
    this.#bucket = bucket;
    this.#store = store;
    this.#journals = new UploadJournals(store);
    const discard = (key: string) => this.discard(key);
    this.direct = new S3DirectReceiving({ client, bucket, store, journals: this.#journals, discard });
  }

  async receivedBytes(key: string): Promise<number> {
    const journal = await this.#journals.load(key);
    if (journal) return lengthOf(journal);
    return (await this.#store.head(key))?.sizeBytes ?? 0;
  }

  async append(key: string, body: Readable, options: AppendOptions): Promise<number> {
    const { offset, sizeBytes, comparison, onBytes } = options;
    checkKey(key);
    try {
      if (offset === 0) await this.discard(key);
      let journal = (await this.#journals.load(key)) ?? (await this.#begin(key, sizeBytes));
      let acknowledged = journal;
      let pending = journal.tail ? [await this.#readTail(journal.tail.key)] : [];
      let pendingBytes = journal.tail?.bytes ?? 0;
      let at = offset;
      for await (const chunk of untilBroken(body, sizeBytes - offset)) {
        if (!comparison) onBytes?.(chunk, at);
        at += chunk.length;
        comparison?.add(chunk);
        pending.push(chunk);
        pendingBytes += chunk.length;
        while (pendingBytes >= journal.partBytes) {
          const all = Buffer.concat(pending);
          journal = await this.#sendPart(key, journal, all.subarray(0, journal.partBytes));
          // Parts that the journal does not list are overwritten by the next body.
          if (!comparison) acknowledged = journal = await this.#acknowledge(key, acknowledged, journal);
          pending = [all.subarray(journal.partBytes)];
          pendingBytes -= journal.partBytes;
        }
      }
      if (comparison && !comparison.isSame()) throw new ChecksumMismatchError();
      journal = await this.#acknowledge(key, acknowledged, journal);
      journal = await this.#keepRest(key, journal, Buffer.concat(pending), sizeBytes);
      return lengthOf(journal);
    } catch (error) {
      throw s3Error(error);
    }
  }

  async complete(key: string, sizeBytes: number): Promise<void> {
    const journal = await this.#journals.load(key);
    const received = await this.receivedBytes(key);
    if (received !== sizeBytes) throw new Error(`Received ${received} of ${sizeBytes} bytes of ${key}.`);
    if (!journal) return;
    try {
      // The size was a bound when its last bytes arrived: they are kept as the beginning of a part.
      const { tail } = journal;
      const { parts } = tail ? await this.#addPart(key, journal, await this.#readTail(tail.key), sizeBytes) : journal;
      const Parts = parts.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
      const at = { Bucket: this.#bucket, Key: key, UploadId: journal.uploadId };
      await this.#client.send(new CompleteMultipartUploadCommand({ ...at, MultipartUpload: { Parts } }));
    } catch (error) {
      // The response to an earlier attempt may have been lost; then the object exists.
      const there = isS3Missing(error) && (await this.#store.head(key))?.sizeBytes === sizeBytes;
      if (!there) throw s3Error(error);
    }
    await this.#journals.delete(key);
  }

  async discard(key: string): Promise<void> {
    const journal = await this.#journals.load(key);
    if (!journal) return;
    if (journal.tail) await this.#store.delete(journal.tail.key);
    // Best effort: a service that has no such upload, or cannot abort it, expires old parts itself.
    await this.#client
      .send(new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key: key, UploadId: journal.uploadId }))
      .catch(() => {});
    await this.#journals.delete(key);
  }

  async #begin(key: string, sizeBytes: number): Promise<Journal> {
    const uploadId = await beginMultipart(this.#client, this.#bucket, key);
    return this.#journals.save(key, newJournal(uploadId, sizeBytes));
  }

  async #addPart(key: string, journal: Journal, bytes: Buffer, totalBytes: number): Promise<Journal> {
    return this.#acknowledge(key, journal, await this.#sendPart(key, journal, bytes, totalBytes));
  }

  async #sendPart(key: string, journal: Journal, bytes: Buffer, totalBytes: number | null = null): Promise<Journal> {
    const PartNumber = journal.parts.length + 1;
    const { ETag } = await this.#client.send(
      new UploadPartCommand({
        Bucket: this.#bucket,
        Key: key,
        UploadId: journal.uploadId,
        PartNumber,
        Body: bytes,
        ContentLength: bytes.length,
      }),
    );
    if (ETag === undefined) throw new Error('The object storage took a part without an ETag.');
    return { ...journal, parts: [...journal.parts, ETag], tail: null, totalBytes };
  }

  /** Has the journal list what arrived since another one was stored. */
  async #acknowledge(key: string, before: Journal, journal: Journal): Promise<Journal> {
    if (journal === before) return journal;
    await this.#journals.save(key, journal);
    if (before.tail && before.tail.key !== journal.tail?.key) await this.#store.delete(before.tail.key);
    return journal;
  }

  /** Bytes that do not fill a part: the last part when complete, otherwise the tail. */
  async #keepRest(key: string, journal: Journal, rest: Buffer, sizeBytes: number): Promise<Journal> {
    const whole = journal.parts.length * journal.partBytes + rest.length;
    if (whole === sizeBytes) {
      return rest.length > 0
        ? this.#addPart(key, journal, rest, sizeBytes)
        : this.#journals.save(key, { ...journal, totalBytes: sizeBytes });
    }
    if (rest.length === (journal.tail?.bytes ?? 0)) return journal;
    const tail = { key: `${key}.tail-${whole}`, bytes: rest.length };
    await this.#store.put(tail.key, rest, { contentType: 'application/octet-stream' });
    return this.#acknowledge(key, journal, { ...journal, tail });
  }

  async #readTail(tailKey: string): Promise<Buffer> {
    const found = await this.#store.read(tailKey);
    if (!found) throw new Error(`${tailKey} is gone.`);
    return buffer(found.stream);
  }
}

function lengthOf(journal: Journal): number {
  return journal.totalBytes ?? journal.parts.length * journal.partBytes + (journal.tail?.bytes ?? 0);
}
