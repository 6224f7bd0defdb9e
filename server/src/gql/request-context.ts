import type { Language } from '../kernel/languages/languages.ts';
import type { Permission } from '../kernel/permissions.ts';
import { type DidKind, formatDid, type ParsedDid, requireDid } from './did.ts';
import { ANONYMOUS_SCOPE, type Authorize, type Credential, type Viewer, type ViewerScope } from './viewer.ts';

/**
 * Services of commands and `read` functions: domains add their part by declaration merging (`declare module
 * '../../gql/request-context.ts' { interface Services { … } }`); the composition root supplies the values.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Services {}

/** The client of an HTTP request. */
export interface Client {
  /** Address of the client; empty if unknown. */
  readonly address: string;
  /** The User-Agent header, or empty. */
  readonly userAgent: string;
  /** Whether the request asks not to be tracked: Do Not Track or Global Privacy Control. */
  readonly doNotTrack: boolean;
  /** The entry point, if other than the API. */
  readonly via?: 'MCP';
  /** The agent's name, if other than in User-Agent. */
  readonly agent?: string;
}

/** The client of requests without HTTP. */
export const NO_CLIENT: Client = { address: '', userAgent: '', doNotTrack: false };

/** Constant part of all requests of an engine. */
export interface EngineEnv {
  /** Public address without trailing slash. */
  readonly baseUrl: string;
  /** The `<ns>` of DIDs. */
  readonly namespace: string;
}

/** The request as seen by parameters, `read` functions and commands. */
export interface RequestEnv extends EngineEnv {
  readonly requestId: string;
  /** Of who reads the response. Only texts for people depend on it. */
  readonly language: Language;
  readonly nowMs: number;
  /** ISO 8601, for timestamptz parameters. */
  readonly nowIso: string;
  /** Null when anonymous, and in `param` functions of reads, which run before the viewer is known. */
  readonly viewer: Viewer | null;
  readonly client: Client;
  /** What the request was sent with, for rows that belong to a credential. */
  readonly credential: Credential;
  readonly services: Services;
  /** The subject of the subscription message that is being read; otherwise empty. */
  readonly item: Readonly<Record<string, unknown>>;
  did(kind: DidKind, id: string): string;
  /** Throws INVALID_INPUT with `field` unless `value` is a DID of one of `kinds`. */
  parseDid(value: unknown, kinds: readonly DidKind[], field: string): ParsedDid;
}

/** Context of commands and resolvers: the viewer is known and authorized. */
export interface CommandContext extends RequestEnv {
  /** Null only under access 'public'. */
  readonly viewer: Viewer | null;
  /** What the viewer may see, for statements that are written by hand. */
  readonly scope: ViewerScope;
  /** Whether an operator of the server asks, signed in: keys and applications never have the role. */
  readonly isOperator: boolean;
  /** Aborted when the client disconnects or the time limit passes. */
  readonly signal: AbortSignal;
  /** For an argument that needs more than its field. @throws AppError as for a field, where the viewer has it not. */
  requirePermission(permission: Permission): void;
}

/**
 * Context of fields that are resolved by hand. They know the viewer by its scope only, which is all that they may ask
 * the database about: the account alone sees more than its token does (ADR 0137).
 */
export type ResolverContext = Omit<CommandContext, 'viewer' | 'credential' | 'item'>;

/** Context of the source of a subscription, which is such a field. */
export type SourceContext = Omit<SubscriptionContext, 'viewer' | 'credential' | 'item'>;

/** Context of a subscription. */
export interface SubscriptionContext extends CommandContext {
  /** Cursor of the last message that a reconnecting client received; null for a new one. */
  readonly lastEventId: string | null;
}

let latestSecond = Number.NaN;
let latestText = '';

/**
 * ISO 8601 of an instant; requests within a second share the text up to the milliseconds, because formatting is
 * expensive.
 */
function isoInstant(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== latestSecond) {
    latestSecond = second;
    latestText = new Date(second * 1000).toISOString().slice(0, -4);
  }
  return `${latestText}${String(Math.floor(ms - second * 1000)).padStart(3, '0')}Z`;
}

/** Parts of a context. */
interface ContextParts {
  readonly env: EngineEnv;
  readonly services: Services;
  readonly authorize: Authorize;
  readonly nowMs: number;
  /** The engine's request. */
  readonly request: {
    readonly requestId: string;
    readonly reader?: { readonly language: Language } | undefined;
    readonly client?: Client | undefined;
    readonly credential: Credential;
    readonly signal: AbortSignal;
    readonly lastEventId?: string | undefined;
  };
  readonly item?: Readonly<Record<string, unknown>> | undefined;
}

const NO_ITEM: Readonly<Record<string, unknown>> = Object.freeze({});

/** One request, as domains see it. Immutable: each step creates a new one with its results. */
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

  get scope(): ViewerScope {
    return this.viewer?.scope ?? ANONYMOUS_SCOPE;
  }

  get isOperator(): boolean {
    return this.viewer?.isOperator === true && this.viewer.credential === 'session';
  }

  /** The same request with a known viewer. */
  of(viewer: Viewer | null): RequestContext {
    return viewer === this.viewer ? this : new RequestContext(this.#parts, viewer, this.#signal);
  }

  /** The same request with a time limit. */
  until(signal: AbortSignal): RequestContext {
    return new RequestContext(this.#parts, this.viewer, AbortSignal.any([this.signal, signal]));
  }

  get requestId(): string {
    return this.#parts.request.requestId;
  }

  get language(): Language {
    return this.#parts.request.reader?.language ?? 'en';
  }

  get lastEventId(): string | null {
    return this.#parts.request.lastEventId ?? null;
  }

  /** The sender's signal, until a time limit is added. */
  get signal(): AbortSignal {
    return this.#signal ?? this.#parts.request.signal;
  }

  get client(): Client {
    return this.#parts.request.client ?? NO_CLIENT;
  }

  get credential(): Credential {
    return this.#parts.request.credential;
  }

  get nowIso(): string {
    return isoInstant(this.nowMs);
  }

  did(kind: DidKind, id: string): string {
    return formatDid(this.namespace, kind, id);
  }

  requirePermission(permission: Permission): void {
    const decision = this.#parts.authorize(this.viewer, permission, this.nowMs);
    if (decision.kind === 'deny') throw decision.error;
  }

  parseDid(value: unknown, kinds: readonly DidKind[], field: string): ParsedDid {
    return requireDid(this.namespace, value, kinds, field);
  }
}
