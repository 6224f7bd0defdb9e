import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, type ProtocolEra } from '@modelcontextprotocol/server';
import type { Credential } from '../gql/viewer.ts';
import { sendText } from '../http/codings/send-text.ts';
import { bearerOf } from '../http/credentials.ts';
import { HttpError } from '../http/errors.ts';
import { AppError } from '../kernel/errors.ts';
import { costLimit, limitHeaders } from '../kernel/service-limits.ts';
import { requireModestJson } from '../platform/json-shape.ts';
import type { MessageBus } from '../platform/message-bus/message-bus.ts';
import type { Platform } from '../platform/platform.ts';
import { readBody } from '../platform/read-body.ts';
import { optsOutOfTracking, type RequestContext, type Route } from '../platform/routing.ts';
import { sendJson } from '../platform/send-json.ts';
import { type AgentServerOptions, agentServer } from './agent-server.ts';
import { choiceOf, single } from './choice.ts';
import { Elicitation } from './registry/elicitation.ts';
import type { ProgramStarter } from './scripts/script-process.ts';
import { type AgentEngine, type Caller, identify } from './session/caller.ts';
import { ConcurrencyLimiter } from './session/concurrency-limiter.ts';
import { refuseForeignHost } from './session/origin.ts';
import { AgentSessions } from './session/session.ts';
import { answerWhole, isAnsweredWhole } from './session/whole-answer.ts';
import { isListenRequest, listenTo } from './subscriptions/listening.ts';
import { SessionStreams, type SubscriptionStore } from './subscriptions/session-streams.ts';
import { ToolRegistry } from './tool-registry.ts';

export interface McpOptions {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'secrets' | 'log'>;
  readonly engine: AgentEngine;
  readonly credentials: { findCredential(key: string): Credential | Promise<Credential>; readonly issuer: string };
  /** Delivers users' answers to the waiting instance, and changed subscriptions. */
  readonly messageBus: MessageBus;
  readonly subscriptions: SubscriptionStore;
  /** The sandbox, for scripts. */
  readonly runner: ProgramStarter;
  readonly version: string;
  /** Time limit of a confirmation; default five minutes. */
  readonly elicitationMs?: number;
  /** Concurrent requests per account; default 200. */
  readonly maxOpen?: number;
}

/** Dependencies of every request. */
interface EntryPoint extends AgentServerOptions {
  readonly engine: AgentEngine;
  readonly credentials: McpOptions['credentials'];
  readonly log: Platform['log'];
  readonly sessions: AgentSessions;
  readonly limiter: ConcurrencyLimiter;
}

const PATH = '/mcp';
/** What agents are to ask for: the tools, and a refresh token, so that they stay connected. */
const SCOPES = ['mcp:tools', 'offline_access'];
const METADATA_PATH = '/.well-known/oauth-protected-resource';
const BODY = { maxBytes: 1024 * 1024, timeoutMs: 15_000 };
/** Maximum messages per request; the key is checked and charged once for all of them. */
const MAX_BATCH = 10;
/** Concurrent requests per account: waiting calls and subscriptions stay open for a long time. */
const MAX_OPEN = 200;

/**
 * The MCP entry point: the Model Context Protocol over Streamable HTTP, stateless between messages, and its OAuth
 * metadata.
 */
export async function mcpRoutes({
  platform,
  engine,
  credentials,
  messageBus,
  subscriptions,
  runner,
  version,
  elicitationMs,
  maxOpen = MAX_OPEN,
}: McpOptions): Promise<Route[]> {
  const { config, secrets, clock, log } = platform;
  const baseUrl = config.BASE_URL;
  const entry: EntryPoint = {
    ...{ engine, baseUrl, version, credentials, log, secrets, clock, namespace: config.DID_NAMESPACE },
    toolRegistry: await ToolRegistry.load({ engine, baseUrl, starter: runner }),
    sessions: new AgentSessions(platform),
    elicitation: new Elicitation({
      secrets,
      messageBus,
      ...(elicitationMs === undefined ? {} : { limitMs: elicitationMs }),
    }),
    streams: new SessionStreams({ engine, store: subscriptions, messageBus, clock, log }),
    limiter: new ConcurrencyLimiter(maxOpen),
  };
  return [
    { method: '*', path: PATH, handle: (request, response, context) => handle(entry, request, response, context) },
    ...[METADATA_PATH, `${METADATA_PATH}${PATH}`].map(
      (path): Route => ({
        method: 'GET',
        path,
        handle: (_request, response) => sendJson(response, 200, resourceMetadata(baseUrl, credentials.issuer)),
      }),
    ),
  ];
}

/** Protected resource metadata (RFC 9728 section 2). */
function resourceMetadata(baseUrl: string, issuer: string): object {
  return {
    resource: `${baseUrl}${PATH}`,
    resource_name: 'Reelgraph',
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: SCOPES,
    resource_documentation: `${baseUrl}/docs`,
  };
}

async function handle(
  entry: EntryPoint,
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  refuseForeignHost(request, entry.baseUrl);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const caller = await authenticate(entry, request, context, gone.signal);
  const session = entry.sessions.find(single(request.headers['mcp-session-id']), caller.channelId);
  const choice = choiceOf(context.url.searchParams, request.headers);
  const body = request.method === 'POST' ? await readBody(request, BODY) : null;
  if (body) requireModestJson(body);
  const message = body ? parsed(body) : undefined;
  if (Array.isArray(message) && message.length > MAX_BATCH)
    throw new HttpError(400, 'INVALID_INPUT', `At most ${MAX_BATCH} messages are accepted at once.`, {
      suggestedFix: 'Send them one by one.',
    });
  if (session && (await entry.elicitation.take(session, message))) return void response.writeHead(202).end();
  takeSlot(entry.limiter, caller, response);
  const waits = request.method === 'GET' || isListenRequest(message);
  const signal = waits ? AbortSignal.any([gone.signal, context.closing]) : gone.signal;
  if (request.method === 'GET' && session) return entry.streams.serve(session, caller, response, signal);
  const listening = await listenTo(message, { engine: entry.engine, caller, signal, lost: () => gone.abort() });
  const begun = entry.sessions.begin(message, caller.channelId);
  const serverOf = (era: ProtocolEra) => agentServer(entry, { caller, choice, session, era });
  // The parsed body is passed on: the SDK would copy it twice.
  const received = webRequest(request, context.url, message === undefined ? body : null, signal);
  if (await isAnsweredWhole(received, message)) {
    const result = await answerWhole(serverOf('legacy'), received, message);
    return send(result, { entry, request, response, session: begun, caller });
  }
  const handler = createMcpHandler(({ era }) => serverOf(era), {
    onerror: (error) => entry.log.warn({ requestId: context.requestId, error: error.message }, 'agent request'),
    ...(listening ? { bus: listening.bus } : {}),
  });
  const parsedBody = listening?.message ?? message;
  const result = await handler.fetch(received, parsedBody === undefined ? {} : { parsedBody });
  await send(result, { entry, request, response, session: begun, caller });
}

/**
 * Throws RATE_LIMIT_EXCEEDED when the account has reached its concurrency limit; answers to elicitations are exempt.
 */
function takeSlot(limiter: ConcurrencyLimiter, { channelId }: Caller, response: ServerResponse): void {
  const leave = limiter.take(channelId);
  if (!leave)
    throw new AppError('RATE_LIMIT_EXCEEDED', `${limiter.limit} requests of this account are already in progress.`, {
      suggestedFix: 'Wait until some of them finish, or end subscriptions and waiting calls.',
      retryAfterSeconds: 5,
      headers: { ...limitHeaders([limiter.of(channelId)]) },
    });
  if (response.closed) leave();
  else response.once('close', leave);
}

/** Undefined for invalid JSON: the SDK reports it. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The caller; the challenge points OAuth clients to the metadata (RFC 9728 section 5.1). */
async function authenticate(
  { engine, credentials, baseUrl }: EntryPoint,
  request: IncomingMessage,
  { requestId, clientAddress }: RequestContext,
  signal: AbortSignal,
): Promise<Caller> {
  const client = {
    address: clientAddress,
    userAgent: request.headers['user-agent'] ?? '',
    doNotTrack: optsOutOfTracking(request),
    via: 'MCP' as const,
  };
  try {
    const { authorization } = request.headers;
    if (authorization === undefined) throw new AppError('UNAUTHENTICATED');
    const credential = await credentials.findCredential(bearerOf(authorization));
    return await identify(engine, {
      ...{ credential, requestId, clientAddress, client, signal },
      response: { revealing: false, cost: engine.noCost },
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.httpStatus !== 401) throw error;
    const invalid = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
    throw new HttpError(401, error.code, error.message, {
      headers: {
        'www-authenticate':
          `Bearer realm="reelgraph", scope="${SCOPES.join(' ')}", ` +
          `resource_metadata="${baseUrl}${METADATA_PATH}${PATH}"${invalid}`,
      },
    });
  }
}

function webRequest(request: IncomingMessage, url: URL, body: Buffer | null, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
  return new Request(url, {
    method: request.method ?? 'GET',
    headers,
    signal,
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
}

interface Answer {
  readonly entry: EntryPoint;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Id of the session that begins. */
  readonly session: string | null;
  /** Of the response, once its body is complete. */
  readonly caller: Caller;
}

/**
 * Writes a web response. JSON is sent whole, compressed where that pays; streams are forwarded immediately and
 * cancelled when the client disconnects.
 */
async function send(result: Response, { entry, request, response, session, caller }: Answer): Promise<void> {
  if (response.destroyed) return void result.body?.cancel();
  const isJson = result.headers.get('content-type')?.startsWith('application/json');
  // As bytes: the schema is long, and each copy of it is garbage.
  const body = isJson ? Buffer.from(await result.arrayBuffer()) : null;
  const cost = costLimit(caller.response.cost, entry.engine.noCost.available);
  const headers = {
    ...Object.fromEntries(result.headers),
    ...limitHeaders([cost, entry.limiter.of(caller.channelId)]),
    ...(session === null ? {} : { 'mcp-session-id': session }),
  };
  if (body !== null) {
    if (!caller.response.revealing) return sendText(request, response, result.status, body, headers);
    return void response.writeHead(result.status, { ...headers, 'content-length': body.length }).end(body);
  }
  response.writeHead(result.status, headers);
  if (!result.body) return void response.end();
  const stream = Readable.fromWeb(result.body as ReadableStream<Uint8Array>); // the same class, typed twice
  stream.on('error', () => response.destroy());
  response.on('close', () => stream.destroy());
  stream.pipe(response);
}
