import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AbortMultipartUploadCommand, type S3Client } from '@aws-sdk/client-s3';
import { createS3Client, type S3Settings } from './s3-client.ts';
import { S3ReceivingStore } from './s3-receiving.ts';
import { S3Store } from './s3-store.ts';

/** What of the package is used; it has no types of its own. */
interface TestService {
  readonly store: FileBackend;
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
interface FileBackend {
  getResourcePath(bucket: string, key: string | undefined, resource: string): string;
  getObject(bucket: string, key: string, options: unknown): Promise<unknown>;
  putMetadata(bucket: string, key: string, metadata: unknown, md5: string): Promise<void>;
  putObject(object: {
    bucket: string;
    key: string;
    content: Buffer | Readable;
    metadata: unknown;
  }): Promise<{ size: number; md5: string }>;
  putPart(
    bucket: string,
    uploadId: string,
    partNumber: number | string,
    content: Readable,
  ): Promise<{ size: number; md5: string }>;
}

const BUCKET = 'reelgraph-test';

/** An S3-compatible service for tests on a free loopback port, with an empty bucket. */
export async function startTestS3(): Promise<{ settings: S3Settings; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'reelgraph-s3-'));
  // A CommonJS package without types.
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => TestService;
  const service = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
    allowMismatchedSignatures: true, // it leaves the slash after a bucket out of what it signs
  });
  storeBeforeAnswering(service.store);
  const { port } = await service.run();
  return {
    settings: {
      bucket: BUCKET,
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    async close() {
      await service.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The adapters on a new S3-compatible service. */
export interface TestS3Storage {
  readonly client: S3Client;
  readonly store: S3Store;
  readonly receiving: S3ReceivingStore;
  /** Keys whose multipart uploads were aborted, which the service itself ignores. */
  readonly aborted: string[];
  /** Other adapters, as after a restart. */
  reopen(): S3ReceivingStore;
  close(): Promise<void>;
}

export async function openTestS3Storage(): Promise<TestS3Storage> {
  const service = await startTestS3();
  const { bucket } = service.settings;
  const client = createS3Client(service.settings);
  const store = new S3Store(client, bucket, tmpdir());
  const reopen = () => new S3ReceivingStore(client, bucket, store);
  const aborted: string[] = [];
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === AbortMultipartUploadCommand.name) aborted.push((args.input as { Key: string }).Key);
        return next(args);
      },
    { step: 'initialize' },
  );
  const close = async () => {
    client.destroy();
    await service.close();
  };
  return { client, store, receiving: reopen(), aborted, reopen, close };
}

/**
 * The package responds to a write before the bytes are in the file, and lets a reader see a file with the wrong size,
 * unlike real services. Here writes complete first, and reads are atomic.
 */
function storeBeforeAnswering(store: FileBackend): void {
  const open = store.getObject.bind(store);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
  store.getObject = (bucket, key, options) => inTurn(() => open(bucket, key, options));
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
    return inTurn(async () => {
      const md5 = await write(store.getResourcePath(bucket, key, 'object'), bytes);
      await store.putMetadata(bucket, key, metadata, md5);
      return { size: bytes.length, md5 };
    });
  };
  store.putPart = async (bucket, uploadId, partNumber, content) => {
    const bytes = await buffer(content);
    const path = join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, String(partNumber));
    const md5 = await write(path, bytes);
    await writeFile(`${path}.md5`, md5);
    return { size: bytes.length, md5 };
  };
}

/** A new file replaces the previous one, which open readers keep. */
async function write(path: string, bytes: Buffer): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, bytes);
  await rename(`${path}.new`, path);
  return createHash('md5').update(bytes).digest('hex');
}
