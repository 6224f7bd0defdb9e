import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Platform } from '../../../platform/platform.ts';
import type { LiveBroadcasts } from '../ingest/live-broadcasts.ts';
import { type LiveAnswer, LONGEST_WAIT_MS, liveFile, readLiveAddress } from './live-file.ts';
import { isFromNode, NODE_PATH } from './node-requests.ts';

/** Answers a request below NODE_PATH. */
type NodeHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;

/**
 * Offers what this process receives to the other processes, at the keys of the files. 404 for all else, and for others.
 */
export function answerNodes(
  { secrets, clock }: Pick<Platform, 'secrets' | 'clock'>,
  broadcasts: Pick<LiveBroadcasts, 'received' | 'preview'>,
): NodeHandler {
  return async (request, response, url) => {
    const { authorization = '' } = request.headers;
    const target = url.pathname + url.search;
    const isAllowed = isFromNode(secrets, { target, authorization, nowMs: clock.now() });
    const address = isAllowed ? readLiveAddress(url.pathname.slice(NODE_PATH.length), url.searchParams) : null;
    // Previews have the id of their broadcast in place of a video's.
    const session = address && (broadcasts.received(address.videoAssetId) ?? broadcasts.preview(address.videoAssetId));
    if (!address || !session) return send(response, null);
    // Several viewers of the other process wait for it.
    const patience = { limitMs: LONGEST_WAIT_MS, whenAbandoned: () => () => {} };
    send(response, await liveFile(session, address, patience));
  };
}

/** 200 with the file; 400 where the request is ahead of the stream. */
function send(response: ServerResponse, file: LiveAnswer): void {
  response.setHeader('Cache-Control', 'no-store');
  if (file === null || file === 'ahead') return void response.writeHead(file === null ? 404 : 400).end();
  const headers = { 'Content-Type': file.contentType, 'Content-Length': Buffer.byteLength(file.body) };
  response.writeHead(200, { ...headers, ...(file.etag ? { ETag: file.etag } : {}) }).end(file.body);
}
