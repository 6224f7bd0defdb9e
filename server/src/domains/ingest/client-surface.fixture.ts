import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Upload as TusUpload } from 'tus-js-client';
import { createHttpServer, type HttpServer } from '../../http/server.ts';
import { WITHOUT_GRAPHQL } from '../../http/testing.ts';
import { AppError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { type ImageDecoder, openImageDecoder } from '../../media/index.ts';
import { testRunner } from '../../media/testing.ts';
import { sql } from '../../platform/db/statement.ts';
import { DiskReceivingStore } from '../../platform/storage/disk-receiving.ts';
import type { ObjectStore } from '../../platform/storage/object-store.ts';
import type { ReceivingStore } from '../../platform/storage/receiving-store.ts';
import type { StorageSpace } from '../../platform/storage/storage-space.ts';
import { scopeOf } from '../../testing/scope-of.ts';
import { type AssetsTestPlatform, createAssetsTestPlatform, makeContent } from '../assets/testing.ts';
import { requireContentTakes, uploadDrafts } from '../catalog/index.ts';
import type { UploadDrafts } from './uploads/create-upload.ts';
import type { Uploader } from './uploads/find-upload.ts';
import { type IngestionRequest, type OpenedIngestion, openIngestion } from './uploads/open-ingestion.ts';
import { registerUploads, type Uploads } from './uploads/register-uploads.ts';

/** Replaces the object store in the platform's folder. */
export interface TestStorage {
  readonly store: ObjectStore;
  readonly receiving: ReceivingStore;
  /** Unlimited by default. */
  readonly space?: StorageSpace;
}

/** The uploads of a platform behind the real HTTP edge. */
export interface TestClientSurface {
  readonly platform: AssetsTestPlatform;
  readonly receiving: ReceivingStore;
  readonly imageDecoder: ImageDecoder;
  readonly drafts: UploadDrafts;
  readonly baseUrl: string;
  readonly uploads: Uploads;
  /** An account with a draft; its key is `Bearer <accountId>`. */
  owner(): Promise<Owner>;
  open(
    owner: Owner,
    request: Partial<IngestionRequest> & Pick<IngestionRequest, 'sizeBytes'>,
  ): Promise<OpenedIngestion>;
  /** Stops this instance like the process does, and starts another on the same data. */
  restart(): Promise<void>;
  /** A second instance on the same data; returns its address. */
  another(): Promise<{ address: string; uploads: Uploads }>;
  row<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row>;
  rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface Owner extends Uploader {
  readonly contentId: string;
  readonly channelId: string;
  readonly authorization: string;
}

export async function openTestClientSurface(
  storage: Partial<TestStorage> | ((defaults: TestStorage) => TestStorage) = {},
): Promise<TestClientSurface> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const plain = await createAssetsTestPlatform({ BASE_URL: baseUrl });
  const defaults = { store: plain.store, receiving: new DiskReceivingStore(join(plain.config.DATA_DIR, 'objects')) };
  const {
    store,
    receiving,
    space = plain.space,
  } = typeof storage === 'function' ? storage(defaults) : { ...defaults, ...storage };
  const platform: AssetsTestPlatform = { ...plain, store, space };
  const owners = new Map<string, Owner>();
  const authenticate = async ({ headers }: IncomingMessage): Promise<Owner> => {
    const owner = owners.get(headers.authorization ?? '');
    if (!owner) throw new AppError('UNAUTHENTICATED');
    return owner;
  };
  const imageDecoder = openImageDecoder(testRunner, { onError: () => {} });
  const drafts = uploadDrafts(platform.clock);
  const servers: HttpServer[] = [];
  await platform.jobs.start();
  const start = async (at: number) => {
    const instance = await startInstance(platform, { receiving, authenticate, imageDecoder, drafts }, at);
    servers.push(instance.server);
    return instance;
  };

  let current = await start(port);
  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    platform.db.run<Row>(sql('test', text), values);
  return {
    platform,
    receiving,
    imageDecoder,
    drafts,
    baseUrl,
    get uploads() {
      return current.uploads;
    },
    async owner() {
      const created = await makeContent(platform);
      await rows(`update subscriptions set plan = 'CREATOR_PLUS', access_until = 'infinity' where account_id = $1`, [
        created.accountId,
      ]);
      const { accountId } = created;
      const owner: Owner = { ...created, scope: scopeOf(accountId), authorization: `Bearer ${accountId}` };
      owners.set(owner.authorization, owner);
      return owner;
    },
    open: (owner, request) => openFor(platform, baseUrl, owner, request),
    async restart() {
      await current.server.close({ graceMs: 0 });
      current = await start(port);
      // The client's pool notices that its old connections are gone.
      while (!(await fetch(`${baseUrl}/healthz`).catch(() => null))?.ok);
    },
    another: () => start(0),
    rows,
    async row<Row extends object>(text: string, values: readonly unknown[] = []) {
      const [first] = await rows<Row>(text, values);
      if (!first) throw new Error(`No row: ${text}`);
      return first;
    },
    async close() {
      await Promise.all(servers.map((server) => server.close({ graceMs: 0 })));
      await imageDecoder.close();
      await platform.jobs.stop({ graceMs: 1_000 });
      await platform.close();
    },
  };
}

interface InstanceTools extends Pick<TestClientSurface, 'receiving' | 'imageDecoder' | 'drafts'> {
  readonly authenticate: (request: IncomingMessage) => Promise<Owner>;
}

async function startInstance(
  platform: AssetsTestPlatform,
  tools: InstanceTools,
  at: number,
): Promise<{ server: HttpServer; uploads: Uploads; address: string }> {
  const uploads = registerUploads(platform, {
    ...tools,
    requireContentTakes,
    authenticateCreator: tools.authenticate,
  });
  const server = createHttpServer({
    platform,
    version: 'test',
    routes: uploads.routes,
    ...WITHOUT_GRAPHQL,
  });
  return { server, uploads, address: `http://127.0.0.1:${await server.listen(at, '127.0.0.1')}` };
}

/** Opens an upload for the owner, with these properties instead of the usual ones. */
function openFor(
  platform: AssetsTestPlatform,
  baseUrl: string,
  owner: Owner,
  request: Parameters<TestClientSurface['open']>[1],
): Promise<OpenedIngestion> {
  return platform.db.transaction((tx) =>
    openIngestion({ secrets: platform.secrets, clock: platform.clock, baseUrl, space: platform.space }, tx, {
      uploader: owner,
      target: { contentId: owner.contentId },
      media: { kind: 'VIDEO', hint: 'LANDSCAPE_VIDEO' },
      filename: `video-${newId().slice(-6)}.mp4`,
      ...request,
    }),
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo; // a TCP server has one
      server.close(() => resolve(port));
    });
  });
}

/** Headers of a PATCH. */
export function patchHeaders(offset: number): Record<string, string> {
  return {
    'Tus-Resumable': '1.0.0',
    'Content-Type': 'application/offset+octet-stream',
    'Upload-Offset': String(offset),
  };
}

export const TUS = { 'Tus-Resumable': '1.0.0' };

/** The offset of an upload, according to the server. */
export async function offsetOf(endpoint: string): Promise<number> {
  const response = await fetch(endpoint, { method: 'HEAD', headers: TUS });
  if (response.status !== 200) throw new Error(`HEAD answered ${response.status}`);
  return Number(response.headers.get('upload-offset'));
}

interface ErrorResponse {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly message: string;
  readonly suggestedFix: string;
}

/** The first error of a response, after checking that it has the common form. */
export async function errorOf(response: Response): Promise<ErrorResponse> {
  const body = (await response.json()) as {
    errors: (ErrorResponse & { documentation: string; errorType: string })[];
    requestId: string;
  };
  const [error] = body.errors;
  if (
    !error?.documentation.endsWith(`/docs/errors/${error.code.toLowerCase()}`) ||
    !error.errorType ||
    !body.requestId
  ) {
    throw new Error(`Not an error of ours: ${JSON.stringify(body)}`);
  }
  return { ...error, status: response.status };
}

/**
 * Sends a request's head and some of its body, then breaks the connection once `received` resolves. A body of less than
 * a megabyte may have to wait for it: a server that has not begun to read when the connection breaks reads nothing.
 */
export function sendAndBreak(
  endpoint: string,
  head: string,
  body: Buffer,
  received: () => Promise<unknown> = async () => {},
): Promise<void> {
  const url = new URL(endpoint);
  return new Promise((done, fail) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      socket.write(`${head.replace('PATH', url.pathname)}\r\nHost: ${url.host}\r\n\r\n`);
      socket.write(body, () => received().then(() => socket.destroy(), fail));
    });
    socket.on('close', () => done());
    socket.on('error', fail);
  });
}

/** Waits until this many bytes of an upload are stored: the server notices a broken connection with a delay. */
export async function untilKept({ receiving }: TestClientSurface, id: string, leastBytes: number): Promise<void> {
  for (const begun = performance.now(); performance.now() - begun < 30_000; await sleep(20))
    if ((await receiving.receivedBytes(`uploads/${id}`)) >= leastBytes) return;
  throw new Error(`fewer than ${leastBytes} bytes are kept after half a minute`);
}

/** Uploads with a tus client. */
export const tusUpload = (endpoint: string, bytes: Buffer, options: object = {}) =>
  new Promise<void>((done, onError) =>
    new TusUpload(bytes, {
      uploadUrl: endpoint,
      endpoint,
      chunkSize: 40_000,
      retryDelays: [50, 50],
      onSuccess: () => done(),
      onError,
      ...options,
    }).start(),
  );
