import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import { checksumOfFile } from './checksums.ts';
import { UNKNOWN_TYPE } from './content-types.ts';
import { checkKey, checkPrefix } from './object-keys.ts';
import type {
  ByteRange,
  ListedObject,
  ObjectInfo,
  ObjectStore,
  PutOptions,
  SendPlan,
  StoredChecksum,
} from './object-store.ts';
import { isS3Missing, s3Error } from './s3-client.ts';
import { partSizeFor } from './s3-journal.ts';
import { diskError } from './storage-errors.ts';

/** Above this a file is sent in parts; below, one request is cheaper. */
const SINGLE_PUT_BYTES = 16 * 1024 * 1024;
/**
 * Deletions in flight; DeleteObjects would be fewer calls, but many services want it with an MD5 that the client does
 * not send.
 */
const PARALLEL_DELETIONS = 16;

/** Objects in a bucket of Amazon S3 or a compatible service. */
export class S3Store implements ObjectStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #temporary: string;

  readonly #pageSize: number;

  /**
   * `temporaryFolder` holds the copies `withLocalFile` makes; `pageSize` is how many keys one listing call asks for.
   */
  constructor(client: S3Client, bucket: string, temporaryFolder: string, pageSize = 1000) {
    this.#pageSize = pageSize;
    this.#client = client;
    this.#bucket = bucket;
    this.#temporary = temporaryFolder;
  }

  async put(key: string, body: Buffer | Readable, options: PutOptions): Promise<ObjectInfo> {
    const at = this.#at(key);
    const { contentType } = options;
    try {
      if (Buffer.isBuffer(body))
        await this.#client.send(
          new PutObjectCommand({ ...at, Body: body, ContentType: contentType, Metadata: metadataOf(crc32(body)) }),
        );
      else await this.#putStream(key, body, options);
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      throw s3Error(error);
    }
    return this.#mustHead(key);
  }

  async putFile(key: string, path: string, { contentType }: PutOptions): Promise<ObjectInfo> {
    const at = this.#at(key);
    const { size } = await stat(path);
    const Metadata = metadataOf(await checksumOfFile(path));
    const stream = createReadStream(path, { highWaterMark: 1024 * 1024 });
    try {
      if (size > SINGLE_PUT_BYTES) await this.#putStream(key, stream, { contentType, sizeBytes: size }, Metadata);
      else
        await this.#client.send(
          new PutObjectCommand({ ...at, Body: stream, ContentLength: size, ContentType: contentType, Metadata }),
        );
    } catch (error) {
      throw s3Error(error);
    } finally {
      stream.destroy();
    }
    await rm(path, { force: true });
    return this.#mustHead(key);
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const at = this.#at(key);
    try {
      return infoOf(await this.#client.send(new HeadObjectCommand(at)));
    } catch (error) {
      if (isS3Missing(error)) return null;
      throw s3Error(error);
    }
  }

  async read(key: string, range?: ByteRange): Promise<{ info: ObjectInfo; stream: Readable } | null> {
    const at = this.#at(key);
    try {
      const response = await this.#client.send(
        new GetObjectCommand({ ...at, ...(range && { Range: `bytes=${range.start}-${range.end}` }) }),
      );
      // In Node.js the SDK's body is always a Readable.
      const stream = response.Body as Readable;
      const whole = range
        ? Number(response.ContentRange?.split('/')[1] ?? response.ContentLength ?? 0)
        : (response.ContentLength ?? 0);
      return { info: { ...infoOf(response), sizeBytes: whole }, stream };
    } catch (error) {
      if (isS3Missing(error)) return null;
      throw s3Error(error);
    }
  }

  async send(key: string, out: ServerResponse, { conditional, begin }: SendPlan): Promise<boolean> {
    const info = conditional ? await this.head(key) : null;
    if (conditional && !info) return false;
    const part = info ? begin(info) : 'whole';
    if (part === 'nothing') return true;
    const found = await this.read(key, part === 'whole' ? undefined : part);
    if (!found) return false;
    try {
      if (!info) begin(found.info);
    } catch (error) {
      found.stream.destroy();
      throw error;
    }
    // Resolves also when the client has left; the connection is closed then.
    await pipeline(found.stream, out).catch(() => {});
    return true;
  }

  async withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T> {
    const found = await this.read(key);
    if (!found)
      throw new AppError('RESOURCE_NOT_FOUND', t`The stored file is gone.`, {
        suggestedFix: t`Upload the file again.`,
      });
    const path = join(this.#temporary, randomUUID());
    try {
      try {
        await mkdir(this.#temporary, { recursive: true });
        await pipeline(found.stream, createWriteStream(path));
      } catch (error) {
        throw s3Error(diskError(error));
      }
      return await use(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  async delete(key: string): Promise<void> {
    const at = this.#at(key);
    try {
      await this.#client.send(new DeleteObjectCommand(at));
    } catch (error) {
      if (!isS3Missing(error)) throw s3Error(error);
    }
  }

  async deletePrefix(prefix: string): Promise<void> {
    checkPrefix(prefix);
    let pending: Promise<void>[] = [];
    for await (const { key } of this.list(prefix)) {
      pending.push(this.delete(key));
      if (pending.length < PARALLEL_DELETIONS) continue;
      await Promise.all(pending);
      pending = [];
    }
    await Promise.all(pending);
  }

  /**
   * The CRC-32 of the service, where it has one of the whole object, or that which was known before the object was
   * sent; else its ETag, which is an MD5 of what was received.
   */
  async checksum(key: string): Promise<StoredChecksum | null> {
    try {
      const head = await this.#client.send(new HeadObjectCommand({ ...this.#at(key), ChecksumMode: 'ENABLED' }));
      const { ChecksumCRC32, ChecksumType, Metadata } = head;
      if (ChecksumCRC32 !== undefined && ChecksumType !== 'COMPOSITE')
        return { crc32: Buffer.from(ChecksumCRC32, 'base64').readUInt32BE() };
      const hex = Metadata?.[CHECKSUM];
      return hex === undefined ? await this.#md5(key, head) : { crc32: Number.parseInt(hex, 16) };
    } catch (error) {
      if (isS3Missing(error)) return null;
      throw s3Error(error);
    }
  }

  async #md5(key: string, { ETag = '', ServerSideEncryption, SSECustomerAlgorithm }: Headed) {
    const [, md5, parts] = /^"?([0-9a-f]{32})(?:-(\d+))?"?$/.exec(ETag) ?? [];
    // With such keys an ETag is no MD5.
    const hasKey = SSECustomerAlgorithm !== undefined || ServerSideEncryption?.startsWith('aws:kms');
    if (md5 === undefined || hasKey) return null;
    if (parts === undefined) return { md5, partBytes: null };
    const first = await this.#client.send(new HeadObjectCommand({ ...this.#at(key), PartNumber: 1 }));
    // A service that does not know parts answers with the whole object.
    const isPart = first.PartsCount === Number(parts) && first.ContentLength !== undefined;
    return isPart ? { md5, partBytes: first.ContentLength ?? null } : null;
  }

  async *list(prefix: string): AsyncIterable<ListedObject> {
    checkPrefix(prefix);
    yield* this.#listAll(prefix);
  }

  entries(): AsyncIterable<ListedObject> {
    return this.#listAll('');
  }

  async *#listAll(prefix: string): AsyncIterable<ListedObject> {
    let after: string | undefined;
    do {
      const page = await this.#client
        .send(
          new ListObjectsCommand({
            Bucket: this.#bucket,
            Prefix: prefix,
            MaxKeys: this.#pageSize,
            ...(after !== undefined && { Marker: after }),
          }),
        )
        .catch((error: unknown) => {
          throw s3Error(error);
        });
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        if (Key !== undefined) yield { key: Key, sizeBytes: Size ?? 0, modifiedAtMs: LastModified?.getTime() ?? 0 };
      }
      // ListObjects V1 continues after a key, which every service supports and deletions do not disturb.
      after = page.IsTruncated ? page.Contents?.at(-1)?.Key : undefined;
    } while (after !== undefined);
  }

  /** In parts; nothing is visible before the last one is stored, and the parts are aborted when the body fails. */
  async #putStream(
    key: string,
    body: Readable,
    { contentType, sizeBytes = 0 }: PutOptions,
    Metadata?: Record<string, string>,
  ): Promise<void> {
    const params = { ...this.#at(key), Body: body, ContentType: contentType, ...(Metadata && { Metadata }) };
    await new Upload({
      client: this.#client,
      params,
      queueSize: 3,
      partSize: partSizeFor(sizeBytes),
      leavePartsOnError: false,
    }).done();
  }

  async #mustHead(key: string): Promise<ObjectInfo> {
    const info = await this.head(key);
    if (!info)
      throw new AppError('SERVICE_UNAVAILABLE', t`The object storage lost an object that was just written.`, {
        retryAfterSeconds: 10,
      });
    return info;
  }

  #at(key: string): { Bucket: string; Key: string } {
    checkKey(key);
    return { Bucket: this.#bucket, Key: key };
  }
}

/** Metadata of an object: the CRC-32 of its bytes. Not every service has checksums of its own. */
const CHECKSUM = 'crc32';

function metadataOf(sum: number): Record<string, string> {
  return { [CHECKSUM]: sum.toString(16).padStart(8, '0') };
}

type Headed = Pick<HeadObjectCommandOutput, 'ETag' | 'ServerSideEncryption' | 'SSECustomerAlgorithm'>;

interface Described {
  readonly ContentLength?: number | undefined;
  readonly ContentType?: string | undefined;
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
}

function infoOf(response: Described): ObjectInfo {
  return {
    sizeBytes: response.ContentLength ?? 0,
    contentType: response.ContentType ?? UNKNOWN_TYPE,
    etag: response.ETag ?? '""',
    modifiedAtMs: response.LastModified?.getTime() ?? 0,
  };
}
