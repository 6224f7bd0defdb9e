import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../../../kernel/errors.ts';
import { t } from '../../../../kernel/languages/message.ts';
import type { ImageDecoder } from '../../../../media/index.ts';
import type { Platform } from '../../../../platform/platform.ts';
import type { RequestContext, Route } from '../../../../platform/routing.ts';
import { sendJson } from '../../../../platform/send-json.ts';
import type { ReceivingStore } from '../../../../platform/storage/receiving-store.ts';
import type { ArrivingUploads } from '../arriving-uploads.ts';
import type { Joins } from '../concatenation/joins.ts';
import {
  type AuthenticateCreator,
  createUpload,
  type RequireContentTakes,
  type UploadDrafts,
} from '../create-upload.ts';
import { DIRECT_PATHS } from '../direct-upload.ts';
import { type AuthenticateUploader, findUpload, requireUsable } from '../find-upload.ts';
import { abandonUpload, endUpload, finishReceived, finishUpload } from '../finish-upload.ts';
import type { UploadLocker } from '../locks/upload-lock.ts';
import { completeParts, offerParts } from './direct-transfer.ts';
import { drain } from './drain-request.ts';
import { putPart, rangeHeader, type SentRange, sentRangeOf } from './put-part.ts';
import { putUpload } from './put-upload.ts';
import { createTusEndpoint, methodOf, takesNoBytes } from './tus-endpoint.ts';
import { UploadDataStore } from './upload-data-store.ts';

export interface UploadRouteTools {
  readonly platform: Pick<Platform, 'clock' | 'config' | 'db' | 'jobs' | 'log' | 'secrets' | 'space' | 'store'>;
  readonly receiving: ReceivingStore;
  readonly locker: UploadLocker;
  readonly imageDecoder: ImageDecoder;
  readonly authenticate: AuthenticateUploader;
  readonly authenticateCreator: AuthenticateCreator;
  readonly requireContentTakes: RequireContentTakes;
  readonly drafts: UploadDrafts;
  readonly joins: Joins;
  readonly arriving?: ArrivingUploads | undefined;
}

/** How long a request waits for parts to be joined, which go on being joined afterwards. */
const JOIN_PATIENCE_MS = 10_000;

/**
 * Upload routes: POST /uploads opens an upload (tus creation), /uploads/<id>-<token> receives it in chunks (tus HEAD,
 * PATCH, DELETE) or as a whole (PUT, POST); below it, parts for the object storage are offered and completed. An upload
 * that has all its bytes but was not finished is finished by the next request.
 */
export function uploadRoutes(tools: UploadRouteTools): Route[] {
  const transfer = openTransfer(tools);
  const { tus, direct } = transfer;
  const offer = respondDirectly(transfer, (request, upload) => offerParts(direct, request, upload));
  const complete = respondDirectly(transfer, async (request, upload) => {
    return finished(upload, await completeParts(direct, request, upload));
  });

  const respond: Route['handle'] = (request, response, context) =>
    respondToUpload(transfer, request, response, context);
  const collection = drained((request, response, context) => tus.answer(request, response, null, context));
  return [
    ...(['POST', 'OPTIONS'] as const).map((method): Route => ({ method, path: '/uploads', handle: collection })),
    ...(['HEAD', 'PATCH', 'DELETE', 'OPTIONS', 'PUT', 'POST'] as const).map(
      (method): Route => ({ method, path: '/uploads/:address', handle: drained(respond) }),
    ),
    { method: 'POST', path: `/uploads/:address/${DIRECT_PATHS.parts}`, handle: drained(offer) },
    { method: 'POST', path: `/uploads/:address/${DIRECT_PATHS.complete}`, handle: drained(complete) },
  ];
}

type FoundUpload = Awaited<ReturnType<typeof findUpload>>;

/** What the routes share: the tus endpoint, and what finds, receives and finishes uploads. */
type Transfer = ReturnType<typeof openTransfer>;

function openTransfer({ joins, ...tools }: UploadRouteTools) {
  const { platform, receiving, locker, imageDecoder, drafts, arriving } = tools;
  const { clock, config, db, secrets, space } = platform;
  const finishing = { platform, receiving, locker, imageDecoder, drafts, arriving };
  const dataStore = new UploadDataStore({
    db,
    clock,
    receiving,
    locker,
    space,
    arriving,
    terminate: (upload) =>
      endUpload(finishing, upload, {
        state: 'FAILED',
        code: 'UPLOAD_FAILED',
        text: t`The upload was cancelled by its sender.`,
      }),
  });
  const creation = {
    db,
    clock,
    secrets,
    space,
    baseUrl: config.BASE_URL,
    namespace: config.DID_NAMESPACE,
    authenticate: tools.authenticate,
    authenticateCreator: tools.authenticateCreator,
    requireContentTakes: tools.requireContentTakes,
    drafts,
  };
  const tus = createTusEndpoint({
    baseUrl: config.BASE_URL,
    dataStore,
    locker,
    secrets,
    open: (request, described) => createUpload(creation, request, described),
    join: (id) => joins.finish(id, JOIN_PATIENCE_MS),
    abandon: (id) =>
      abandonUpload(finishing, id).catch((error: unknown) =>
        platform.log.warn({ error, id }, 'a refused upload stays until it expires'),
      ),
    finish: (id) => finishReceived(finishing, id),
  });
  const direct = {
    ...{ db, clock, receiving, locker, space, arriving },
    finish: (id: string) => finishUpload(finishing, id),
  };
  const finding = { db, clock, secrets, authenticate: tools.authenticate };
  return { tus, direct, finding, finishing };
}

async function respondToUpload(
  { tus, direct, finding, finishing }: Transfer,
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  if (request.method === 'OPTIONS') return tus.answer(request, response, null, context);
  const upload = await findUpload(finding, request, context.params.address ?? '');
  requireUsable(upload, finding.clock);
  if (upload.uploadConcat !== null && methodOf(request) !== 'DELETE')
    return tus.answerFinal(request, response, upload, context);
  const whole = request.method === 'PUT' || (request.method === 'POST' && methodOf(request) === 'POST');
  if (!whole) {
    const complete =
      upload.state === 'OPEN' &&
      upload.sizeBytes !== null &&
      !(upload.isPartial && upload.receivedBytes === upload.sizeBytes) &&
      (await direct.receiving.receivedBytes(upload.objectKey)) === upload.sizeBytes;
    if (complete && methodOf(request) !== 'DELETE') await finishReceived(finishing, upload.id);
    return tus.answer(request, response, upload.id, context);
  }
  requireOwnBytes(upload);
  const range = sentRangeOf(request);
  if (range) return respondToPart(direct, request, response, upload, range);
  sendJson(response, 200, finished(upload, await putUpload(direct, request, upload)));
}

async function respondToPart(
  direct: Transfer['direct'],
  request: IncomingMessage,
  response: ServerResponse,
  upload: FoundUpload,
  range: SentRange,
): Promise<void> {
  const { received, isComplete } = await putPart(direct, request, upload, range);
  if (isComplete) return sendJson(response, 200, finished(upload, received));
  // What resumable PUTs have in common: 308 without Location, which no client follows, and Range.
  const headers = { 'content-length': 0, 'cache-control': 'no-store', ...rangeHeader(received) };
  response.writeHead(308, 'Resume Incomplete', headers).end();
}

/** Parts that senders store in the object storage by themselves. */
function respondDirectly(
  { finding }: Transfer,
  answer: (request: IncomingMessage, upload: FoundUpload) => Promise<object>,
): Route['handle'] {
  return async (request, response, context) => {
    const upload = await findUpload(finding, request, context.params.address ?? '');
    requireUsable(upload, finding.clock);
    requireOwnBytes(upload);
    sendJson(response, 200, await answer(request, upload));
  };
}

/** The rest of the body must never block the connection. */
function drained(handle: Route['handle']): Route['handle'] {
  return async (request, response, context) => {
    // tus 1.0.0, "Tus-Resumable": on every response, errors included.
    if (request.headers['tus-resumable'] !== undefined) response.setHeader('tus-resumable', '1.0.0');
    try {
      await handle(request, response, context);
    } catch (error) {
      drain(request);
      throw error;
    }
  };
}

/** Throws for an upload of parts, and for a part: only tus joins them. */
function requireOwnBytes({ isPartial, uploadConcat }: FoundUpload): void {
  if (uploadConcat !== null) throw takesNoBytes();
  if (isPartial)
    throw new AppError('INVALID_INPUT', t`This is a part of an upload: its bytes are sent by tus.`, {
      suggestedFix: t`Send them with PATCH, from the offset that HEAD returns.`,
    });
}

function finished({ assetName }: FoundUpload, receivedBytes: number): object {
  return { upload: { state: 'FINISHED', assetName, receivedBytes } };
}
