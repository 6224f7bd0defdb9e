import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type Locker, Server } from '@tus/server';
import { AppError } from '../../../../kernel/errors.ts';
import type { IngestionId } from '../../../../kernel/ids.ts';
import { t } from '../../../../kernel/languages/message.ts';
import { limitHeaders } from '../../../../kernel/service-limits.ts';
import type { Secrets } from '../../../../platform/config/secret-key.ts';
import type { RequestContext } from '../../../../platform/routing.ts';
import { readUploadConcat, UPLOAD_CONCAT, type UploadConcat } from '../concatenation/upload-concat.ts';
import type { CreatedUpload, UploadCreation } from '../create-upload.ts';
import type { Ingestion } from '../ingestions.store.ts';
import type { UploadLocker } from '../locks/upload-lock.ts';
import { MAX_UPLOAD_BYTES } from '../upload-input.ts';
import { drain } from './drain-request.ts';
import { CHECKSUM_ALGORITHMS, readUploadChecksum } from './upload-checksum.ts';
import { describeUpload, type UploadDataStore, type UploadDescription } from './upload-data-store.ts';
import {
  type ProtocolFailure,
  protocolFailure,
  sendProtocolFailure,
  tooManyBytes,
  unsupportedContentType,
} from './upload-failure.ts';

/** How long a newer request for the same upload waits for the older one to store its bytes. */
const LOCK_DRAIN_MS = 500;
const TUS_VERSION = '1.0.0';
/** Opening an upload of parts writes no bytes, and a lock would interrupt joining them. */
const UNLOCKED: Locker = { newLock: () => ({ lock: async () => {}, unlock: async () => {} }) };
/** The library reads the id from the last part of the address; ours carries the token too. */
const INTERNAL = 'http://uploads.internal/uploads';

export interface TusEndpointTools {
  readonly baseUrl: string;
  readonly secrets: Secrets;
  readonly dataStore: UploadDataStore;
  readonly locker: UploadLocker;
  /** Opens the upload a creation request describes. */
  readonly open: (request: IncomingMessage, creation: UploadCreation) => Promise<CreatedUpload>;
  /** Joins the parts of an upload, and waits a while for the end; throws the error that the upload ended with. */
  readonly join: (id: IngestionId) => Promise<void>;
  /**
   * Ends an upload whose sender never received its address, because the bytes in the creation request were refused.
   * Must not throw.
   */
  readonly abandon: (id: IngestionId) => Promise<void>;
  /** Called when the last byte is in. */
  readonly finish: (id: string) => Promise<void>;
}

type Context = Pick<RequestContext, 'requestId' | 'language'>;

export interface TusEndpoint {
  /**
   * Handles a tus 1.0.0 request; `id` is the upload's, null when there is none yet. Protocol errors are sent, all
   * others are thrown for the HTTP layer to render.
   */
  answer(request: IncomingMessage, response: ServerResponse, id: IngestionId | null, context: Context): Promise<void>;
  /**
   * Handles a request to an upload that joins parts, but for DELETE: HEAD, which must not interrupt the joining, and
   * what such an upload does not take.
   */
  answerFinal(request: IncomingMessage, response: ServerResponse, upload: Ingestion, context: Context): void;
}

type LibraryRequest = Parameters<Server['handleWeb']>[0];

/** State of one request, kept outside the library, which passes only strings. */
interface Course {
  readonly request: IncomingMessage;
  readonly concat: UploadConcat | null;
  created: CreatedUpload | null;
  thrown: unknown;
}

/** tus 1.0.0 over our uploads, with the extensions of `UploadDataStore`. */
export function createTusEndpoint(tools: TusEndpointTools): TusEndpoint {
  const courses = new WeakMap<LibraryRequest, Course>();
  const courseOf = (request: LibraryRequest): Course => {
    const course = courses.get(request);
    if (!course) throw new Error('The protocol library called back with a request it was not given.');
    return course;
  };
  const server = protocolServer(tools, courseOf);

  /** Replaces what the library says: it knows neither how progress extends the expiry nor the client's metadata. */
  const describe = async (response: ServerResponse, id: IngestionId | null, method: string): Promise<void> => {
    response.removeHeader('upload-expires');
    if (method === 'OPTIONS') response.setHeader('tus-checksum-algorithm', CHECKSUM_ALGORITHMS);
    if (id === null || method === 'DELETE' || method === 'OPTIONS') return;
    setDescription(response, await tools.dataStore.describe(id), method);
  };

  return {
    async answer(request, response, id, context) {
      const concat = id === null && methodOf(request) === 'POST' ? readConcat(tools, request) : null;
      const course: Course = { request, concat, created: null, thrown: undefined };
      const declared = declaredLength(request);
      const isKnown = id !== null && declared !== null && (await tools.dataStore.hasSize(id, declared));
      if (declared !== null) refuseMoreBytes(request, declared);
      if (id === null) requireContentType(request);
      const libraryRequest = toLibraryRequest(request, id);
      if (isKnown) libraryRequest.headers.delete('upload-length');
      translateConcat(libraryRequest, concat);
      courses.set(libraryRequest, course);
      const comparison = takesBody(request) ? readUploadChecksum(request.headers['upload-checksum']) : null;
      const result = await tools.dataStore.comparing(comparison, () => server.handleWeb(libraryRequest));
      drain(request);
      const isRefused = course.thrown !== undefined || result.status >= 400;
      if (course.created && concat?.kind === 'FINAL') await tools.join(course.created.id);
      else if (course.created && isRefused) await tools.abandon(course.created.id);
      for (const [name, value] of result.headers) if (isOurs(name)) response.setHeader(name, value);
      if (course.created?.uploadsLeft)
        for (const [name, value] of Object.entries(limitHeaders([course.created.uploadsLeft])))
          response.setHeader(name, value);
      if (course.thrown !== undefined) {
        response.removeHeader('content-length');
        throw course.thrown;
      }
      if (result.status >= 400) {
        const failure = await failureOf(request, result);
        if (id !== null && failure.status === 409)
          response.setHeader('upload-offset', (await tools.dataStore.getUpload(id)).offset);
        return sendProtocolFailure(response, failure, tools.baseUrl, context);
      }
      await describe(response, id ?? course.created?.id ?? null, methodOf(request));
      // tus 1.0.0 allows 200 and 204; not every client and test of servers takes both.
      response.statusCode = methodOf(request) === 'OPTIONS' ? 200 : result.status;
      response.end(Buffer.from(await result.arrayBuffer()));
    },
    answerFinal(request, response, upload, context) {
      if (methodOf(request) !== 'HEAD') throw takesNoBytes();
      if (request.headers['tus-resumable'] !== TUS_VERSION)
        return sendProtocolFailure(response, protocolFailure(412, '', 'HEAD'), tools.baseUrl, context);
      const offset = upload.state === 'FINISHED' ? { 'upload-offset': upload.receivedBytes } : {};
      setDescription(response, describeUpload(upload), 'HEAD');
      response.writeHead(200, {
        ...{ 'tus-resumable': TUS_VERSION, 'cache-control': 'no-store', 'upload-length': upload.reservedBytes },
        ...offset,
      });
      response.end();
    },
  };
}

/** The library, with callbacks that find the course of their request. */
function protocolServer(tools: TusEndpointTools, courseOf: (request: LibraryRequest) => Course): Server {
  return new Server({
    path: '/uploads',
    datastore: tools.dataStore,
    locker: (request) => (courseOf(request).concat?.kind === 'FINAL' ? UNLOCKED : tools.locker),
    lockDrainTimeout: LOCK_DRAIN_MS,
    maxSize: MAX_UPLOAD_BYTES,
    generateUrl: (request) => courseOf(request).created?.endpoint ?? '',
    namingFunction: async (request, metadata) => {
      // The library has checked that there is either a length or Upload-Defer-Length.
      const length = request.headers.get('upload-length');
      const course = courseOf(request);
      const { request: sent, concat } = course;
      const sizeBytes = length === null ? null : Number(length);
      course.created = await tools.open(sent, { sizeBytes, metadata: metadata ?? {}, concat });
      return course.created.id;
    },
    onUploadFinish: async (_request, upload) => {
      await tools.finish(upload.id);
      return {};
    },
    onResponseError: (request, error) => {
      if (error instanceof Error && !('status_code' in error)) courseOf(request).thrown = error;
      return undefined;
    },
  });
}

function setDescription(response: ServerResponse, described: UploadDescription, method: string): void {
  const { expiresAt, metadata, concat } = described;
  if (expiresAt !== null) response.setHeader('upload-expires', new Date(expiresAt).toUTCString());
  if (method !== 'HEAD') return;
  if (metadata !== null) response.setHeader('upload-metadata', metadata);
  if (concat !== null) response.setHeader('upload-concat', concat);
}

/** tus 1.0.0, "Concatenation": a final upload has the length and the bytes of its parts, and none of its own. */
function readConcat(tools: TusEndpointTools, { headers }: IncomingMessage): UploadConcat | null {
  const sent = headers['upload-concat'];
  const concat = readUploadConcat(tools, Array.isArray(sent) ? sent.join() : sent);
  if (concat?.kind !== 'FINAL') return concat;
  const field = ['Upload-Length', 'Upload-Defer-Length'].find((name) => headers[name.toLowerCase()] !== undefined);
  if (field === undefined && !hasBody(headers)) return concat;
  throw new AppError('INVALID_INPUT', t`An upload of parts has their length and their bytes, and none of its own.`, {
    field: field ?? UPLOAD_CONCAT,
    suggestedFix: t`Send neither Upload-Length nor a body with "Upload-Concat: final;…".`,
  });
}

/** The library knows no concatenation: to it, the length of a final upload is deferred. */
function translateConcat({ headers }: LibraryRequest, concat: UploadConcat | null): void {
  headers.delete('upload-concat');
  if (concat?.kind !== 'FINAL') return;
  headers.set('upload-defer-length', '1');
  headers.delete('content-type');
}

/** The error of a request with bytes for an upload that joins parts. */
export function takesNoBytes(): AppError {
  return new AppError('UPLOAD_FAILED', t`A final upload takes no bytes.`, {
    suggestedFix: t`Nothing has to be sent: HEAD has Upload-Offset once the parts are joined.`,
    httpStatus: 403,
  });
}

/** The library's CORS headers are removed: the HTTP layer sets them. */
function isOurs(name: string): boolean {
  return name !== 'content-type' && !name.startsWith('access-control-');
}

async function failureOf(request: IncomingMessage, result: Response): Promise<ProtocolFailure> {
  return protocolFailure(result.status, await result.text(), methodOf(request));
}

function toLibraryRequest(request: IncomingMessage, id: IngestionId | null): LibraryRequest {
  const headers = new Headers();
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2)
    headers.append(request.rawHeaders[at] ?? '', request.rawHeaders[at + 1] ?? '');
  const method = methodOf(request);
  const body = takesBody(request) ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' as const } : {};
  const libraryRequest: LibraryRequest = new Request(id === null ? INTERNAL : `${INTERNAL}/${id}`, {
    method,
    headers,
    ...body,
  });
  return libraryRequest;
}

/** The length of the file that a PATCH names (tus 1.0.0, "Upload-Defer-Length"); null without a valid one. */
function declaredLength(request: IncomingMessage): number | null {
  const length = request.headers['upload-length'];
  const isValid = typeof length === 'string' && /^(0|[1-9]\d{0,14})$/.test(length);
  return methodOf(request) === 'PATCH' && isValid ? Number(length) : null;
}

/** The library would fix the length before it refuses the bytes. */
function refuseMoreBytes({ headers }: IncomingMessage, length: number): void {
  if (Number(headers['upload-offset']) + Number(headers['content-length'] ?? 0) > length) throw tooManyBytes();
}

/** The library would open the upload without the bytes that came with the request ("Creation With Upload"). */
function requireContentType({ headers }: IncomingMessage): void {
  if (hasBody(headers) && headers['content-type'] !== 'application/offset+octet-stream') throw unsupportedContentType();
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

function takesBody(request: IncomingMessage): boolean {
  return ['PATCH', 'POST'].includes(methodOf(request));
}

/** tus 1.0.0, "X-HTTP-Method-Override": for senders behind proxies that allow only GET and POST. */
export function methodOf(request: IncomingMessage): string {
  const override = request.headers['x-http-method-override'];
  return request.method === 'POST' && (override === 'PATCH' || override === 'DELETE' || override === 'HEAD')
    ? override
    : (request.method ?? '');
}
