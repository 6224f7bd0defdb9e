import { type DidKind, formatDid, type ParsedDid, requireDid } from './did.ts';
import type { Viewer } from './viewer.ts';

/**
 * What commands and `read` functions may use besides the request: domains add their part by declaration merging
 * (`declare module '../../gql/request-context.ts' { interface Services { … } }`); the composition root supplies the
 * values.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Services {}

/** What an HTTP request shows of who sent it. */
export interface Client {
  /** Address of the sender; empty where it is not known. */
  readonly address: string;
  /** The User-Agent header, or empty. */
  readonly userAgent: string;
  /** Whether the request asks not to be tracked: Do Not Track or Global Privacy Control. */
  readonly doNotTrack: boolean;
  /** The entry point, where it is not the API's own. */
  readonly via?: 'MCP';
  /** What an agent calls itself, where it does so otherwise than in User-Agent. */
  readonly agent?: string;
}

/** The client of requests that did not come over HTTP. */
export const NO_CLIENT: Client = { address: '', userAgent: '', doNotTrack: false };

/** What stays the same for every request of an engine. */
export interface EngineEnv {
  /** Public address without trailing slash. */
  readonly baseUrl: string;
  /** The `<ns>` of DIDs. */
  readonly namespace: string;
}

/** What parameters, `read` functions and commands see of the request. */
export interface RequestEnv extends EngineEnv {
  readonly requestId: string;
  readonly nowMs: number;
  /** ISO 8601, for timestamptz parameters. */
  readonly nowIso: string;
  /** Null when anonymous, and in `param` functions of reads, which run before the viewer is known. */
  readonly viewer: Viewer | null;
  readonly services: Services;
  /** What the message of a subscription that is being read is about; empty everywhere else. */
  readonly item: Readonly<Record<string, unknown>>;
  did(kind: DidKind, id: string): string;
  /** Throws INVALID_INPUT with `field` unless `value` is a DID of one of `kinds`. */
  parseDid(value: unknown, kinds: readonly DidKind[], field: string): ParsedDid;
}

/** What a command of a mutation or a resolver gets: the viewer is known and was authorized. */
export interface CommandContext extends RequestEnv {
  /** Null only under access 'public'. */
  readonly viewer: Viewer | null;
  readonly client: Client;
  /** Aborted when the client has gone or the time limit is over. */
  readonly signal: AbortSignal;
}

/** What the source of a subscription gets. */
export interface SubscriptionContext extends CommandContext {
  /** Cursor of the last message that a client received which connects again; null for a new one. */
  readonly lastEventId: string | null;
}

let latestSecond = Number.NaN;
let latestText = '';

/**
 * ISO 8601 of an instant; requests of one second share the text up to the milliseconds, which costs more than it seems.
 */
function isoInstant(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== latestSecond) {
    latestSecond = second;
    latestText = new Date(second * 1000).toISOString().slice(0, -4);
  }
  return `${latestText}${String(Math.floor(ms - second * 1000)).padStart(3, '0')}Z`;
}

/** What a context is made of. */
interface ContextParts {
  readonly env: EngineEnv;
  readonly services: Services;
  readonly nowMs: number;
  /** The request: one of the engine's. */
  readonly request: {
    readonly requestId: string;
    readonly client?: Client | undefined;
    readonly signal: AbortSignal;
    readonly lastEventId?: string | undefined;
  };
  readonly item?: Readonly<Record<string, unknown>> | undefined;
}

const NO_ITEM: Readonly<Record<string, unknown>> = Object.freeze({});

/** One request, as domains see it. Nothing changes it: each step makes its own with what it learned. */
export class RequestContext implements SubscriptionContext {
  readonly baseUrl: string;
  readonly namespace: string;
  readonly services: Services;
  readonly nowMs: number;
  readonly viewer: Viewer | null;
  readonly item: Readonly<Record<string, unknown>>;
  readonly #parts: ContextParts;
  readonly #signal: AbortSignal | null;

  constructor(parts: ContextParts, viewer: Viewer | null = null, signal: AbortSignal | null = null) {
    this.#parts = parts;
    this.#signal = signal;
    this.baseUrl = parts.env.baseUrl;
    this.namespace = parts.env.namespace;
    this.services = parts.services;
    this.nowMs = parts.nowMs;
    this.viewer = viewer;
    this.item = parts.item ?? NO_ITEM;
  }

  /** The same request of a viewer who is known. */
  of(viewer: Viewer | null): RequestContext {
    return viewer === this.viewer ? this : new RequestContext(this.#parts, viewer, this.#signal);
  }

  /** The same request with a limit to its time. */
  until(signal: AbortSignal): RequestContext {
    return new RequestContext(this.#parts, this.viewer, AbortSignal.any([this.signal, signal]));
  }

  get requestId(): string {
    return this.#parts.request.requestId;
  }

  get lastEventId(): string | null {
    return this.#parts.request.lastEventId ?? null;
  }

  /** The sender's, until a time limit is put on the work. */
  get signal(): AbortSignal {
    return this.#signal ?? this.#parts.request.signal;
  }

  get client(): Client {
    return this.#parts.request.client ?? NO_CLIENT;
  }

  get nowIso(): string {
    return isoInstant(this.nowMs);
  }

  did(kind: DidKind, id: string): string {
    return formatDid(this.namespace, kind, id);
  }

  parseDid(value: unknown, kinds: readonly DidKind[], field: string): ParsedDid {
    return requireDid(this.namespace, value, kinds, field);
  }
}
