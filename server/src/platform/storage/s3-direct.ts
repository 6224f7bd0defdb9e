import { CompleteMultipartUploadCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { ObjectStore } from './object-store.ts';
import type { DirectReceiving, SignedPart, WantedParts } from './receiving-store.ts';
import { isS3Missing, s3Error } from './s3-client.ts';
import { beginMultipart, type Journal, newJournal, partSizeFor, type UploadJournals } from './s3-journal.ts';

interface Tools {
  readonly client: S3Client;
  readonly bucket: string;
  readonly store: ObjectStore;
  readonly journals: UploadJournals;
  /** Aborts the multipart upload of a key. */
  readonly discard: (key: string) => Promise<void>;
}

/** The size of a part is signed: S3 refuses any other. */
const SIGNED_HEADERS = new Set(['host', 'content-length']);
/** Errors of S3 for parts that are not what the sender says. */
const WRONG_PARTS = ['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'InvalidRequest', 'MalformedXML'];

/** Multipart uploads whose parts senders store at signed addresses. */
export class S3DirectReceiving implements DirectReceiving {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  partBytes(sizeBytes: number): number {
    return partSizeFor(sizeBytes);
  }

  async sign(key: string, sizeBytes: number, { numbers, nowMs, validSeconds }: WantedParts): Promise<SignedPart[]> {
    const { client, bucket } = this.#tools;
    try {
      const { uploadId, partBytes } = await this.#journal(key, sizeBytes);
      return await Promise.all(
        numbers.map(async (number) => {
          const size = Math.min(partBytes, sizeBytes - (number - 1) * partBytes);
          const part = { Bucket: bucket, Key: key, UploadId: uploadId, PartNumber: number, ContentLength: size };
          const url = await getSignedUrl(client, new UploadPartCommand(part), {
            signingDate: new Date(nowMs),
            expiresIn: validSeconds,
            signableHeaders: SIGNED_HEADERS,
          });
          return { number, sizeBytes: size, url };
        }),
      );
    } catch (error) {
      throw s3Error(error);
    }
  }

  async assemble(key: string, sizeBytes: number, etags: readonly string[]): Promise<void> {
    const { client, bucket, store, journals } = this.#tools;
    const journal = await journals.load(key);
    if (journal && !journal.direct) throw notBegun();
    if (journal) {
      const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
      const at = { Bucket: bucket, Key: key, UploadId: journal.uploadId };
      await client
        .send(new CompleteMultipartUploadCommand({ ...at, MultipartUpload: { Parts } }))
        .catch((error: unknown) => {
          // The response to an earlier attempt may have been lost; then the object exists.
          if (isS3Missing(error)) return;
          throw error instanceof Error && WRONG_PARTS.includes(error.name) ? wrongParts(error) : s3Error(error);
        });
    }
    const stored = await store.head(key);
    if (!stored) throw notBegun();
    if (stored.sizeBytes !== sizeBytes) {
      await store.delete(key);
      await journals.delete(key);
      throw new AppError('UPLOAD_FAILED', t`The parts have ${stored.sizeBytes} of ${sizeBytes} bytes; none are kept.`, {
        field: 'etags',
        suggestedFix: t`Request the addresses of the parts again, and send to each exactly its sizeBytes.`,
      });
    }
    await journals.delete(key);
  }

  /** The running direct upload of a key; begins one when there is none. */
  async #journal(key: string, sizeBytes: number): Promise<Journal> {
    const { client, bucket, journals, discard } = this.#tools;
    const running = await journals.load(key);
    if (running?.direct) return running;
    await discard(key);
    return journals.save(key, newJournal(await beginMultipart(client, bucket, key), sizeBytes, true));
  }
}

function notBegun(): AppError {
  return new AppError('UPLOAD_FAILED', t`No part of this upload was sent to the object storage.`, {
    suggestedFix: t`Request the addresses of its parts, send them, then complete the upload with their ETags.`,
  });
}

function wrongParts(cause: Error): AppError {
  return new AppError('UPLOAD_FAILED', t`A part is missing, or is not the one with this ETag.`, {
    field: 'etags',
    suggestedFix: t`Send the ETag headers of the responses to all parts, in the order of the parts.`,
    cause,
  });
}
