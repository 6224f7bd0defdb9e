import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../../../kernel/errors.ts';
import { t } from '../../../../kernel/languages/message.ts';
import { readBody } from '../../../../platform/read-body.ts';
import type { Route } from '../../../../platform/routing.ts';
import { WHIP_PATH, type WhipServer } from './whip-server.ts';

const SDP = 'application/sdp';
/** Offers of browsers have some 8 KB. */
const OFFER_LIMITS = { maxBytes: 128 * 1024, timeoutMs: 10_000 };
const BEARER = /^bearer +(\S+) *$/i;

/**
 * WHIP (RFC 9725): POST of an SDP offer begins a session, and DELETE ends it. There is no trickle ICE and no ICE
 * restart, so that PATCH is not allowed (section 4.3).
 */
export function whipRoutes(server: WhipServer): Route[] {
  return [
    {
      method: 'POST',
      path: WHIP_PATH,
      handle: (request, response) => post(server, request, response),
    },
    {
      method: 'OPTIONS',
      path: WHIP_PATH,
      handle: (_, response) => void response.writeHead(204, { 'accept-post': SDP, allow: 'OPTIONS, POST' }).end(),
    },
    {
      method: 'DELETE',
      path: `${WHIP_PATH}/:session`,
      handle: async (request, response, { params }) => {
        await server.end(params.session ?? '', streamKeyOf(request));
        response.writeHead(200, { 'cache-control': 'no-store' }).end();
      },
    },
  ];
}

async function post(server: WhipServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!server.isOpen)
    throw new AppError('RESOURCE_NOT_FOUND', t`This server does not receive WHIP.`, {
      suggestedFix: t`Use the address that LiveInput.ingest.whip says.`,
    });
  requireSdp(request);
  const streamKey = streamKeyOf(request);
  const offer = (await readBody(request, OFFER_LIMITS)).toString('utf8');
  const { id, answer } = await server.offer(streamKey, offer);
  response
    .writeHead(201, { 'content-type': SDP, location: `${WHIP_PATH}/${id}`, 'cache-control': 'no-store' })
    .end(answer);
}

function requireSdp({ headers }: IncomingMessage): void {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === SDP) return;
  throw new AppError('INVALID_INPUT', t`The body is not an SDP offer.`, {
    suggestedFix: t`Send the header "Content-Type: ${SDP}" and an SDP offer.`,
    httpStatus: 415,
    headers: { 'accept-post': SDP },
  });
}

/** @throws AppError UNAUTHENTICATED without one. */
function streamKeyOf({ headers }: IncomingMessage): string {
  const [, key] = BEARER.exec(headers.authorization ?? '') ?? [];
  if (key !== undefined) return key;
  throw new AppError('UNAUTHENTICATED', t`The stream key is missing.`, {
    suggestedFix: t`Send the header "Authorization: Bearer <STREAM_KEY>" with the key of the live input.`,
  });
}
