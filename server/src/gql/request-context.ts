import type { AppError } from '../kernel/errors.ts';
import { type DidKind, formatDid, type ParsedDid, requireDid } from './did.ts';
import type { SqlClient } from './sql.ts';
import type { Viewer } from './viewer.ts';

/**
 * What commands and `read` functions may use besides the request: domains add their part by declaration merging
 * (`declare module '../../gql/request-context.ts' { interface Services { … } }`); the composition root supplies the values.
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
  /** The door, where it is not the API's own. */
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

/** What parameters, `read` functions and commands see of the running request. */
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

/** What a command of a mutation or a resolver gets: the viewer is known and has been judged. */
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

/** ISO 8601 of an instant; requests of one second share the text up to the milliseconds, which costs more than it seems. */
function isoInstant(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== latestSecond) {
    latestSecond = second;
    latestText = new Date(second * 1000).toISOString().slice(0, -4);
  }
  return `${latestText}${String(Math.floor(ms - second * 1000)).padStart(3, '0')}Z`;
}

/** Who asks: a request of the engine. */
interface Caller {
  readonly requestId: string;
  readonly client?: Client | undefined;
  readonly signal: AbortSignal;
}

/** State of one request; the GraphQL context value of the executors. */
export class RequestContext implements SubscriptionContext {
  viewer: Viewer | null = null;
  /** Where statement commands are sent instead of the engine's database: under an idempotency key, into one transaction with its mark. */
  db: SqlClient | null = null;
  /** Coerced variables. */
  variables: Readonly<Record<string, unknown>> = {};
  /** Identifiers that the payload of the command just run is to be read by. */
  payload: Readonly<Record<string, unknown>> = {};
  item: Readonly<Record<string, unknown>> = {};
  lastEventId: string | null = null;
  /** What statement commands prepared; set while their parameters are collected. */
  input: unknown = undefined;
  /** Results of the root fields by response key: a value or an Error. */
  readonly roots: Record<string, unknown> = {};
  /** The credential's value, for the viewer's `$1`. */
  credential: Buffer | string | null = null;
  /** Whether what the mutation spends was taken from the account's budgets. */
  isBudgeted = false;
  /** Whether the mutation that runs did, or may have done, what it is for. */
  hasActed = false;
  /** Whether the credential was found valid. */
  admitted = false;
  /** Whether cursors were sent along: forged ones may hold values that PostgreSQL refuses. */
  usesCursors = false;
  /** Why the whole request is refused, once it is. */
  refusal: AppError | null = null;
  /** Root fields that the judge denied. */
  denied: Map<string, AppError> | null = null;
  /** Objects put into the answer, for the actual cost. */
  produced = 0;
  readonly baseUrl: string;
  readonly namespace: string;
  readonly requestId: string;
  readonly nowMs: number;
  readonly services: Services;
  readonly #caller: Caller;
  #signal: AbortSignal | undefined;

  constructor(env: EngineEnv, services: Services, nowMs: number, caller: Caller) {
    this.baseUrl = env.baseUrl;
    this.namespace = env.namespace;
    this.services = services;
    this.nowMs = nowMs;
    this.requestId = caller.requestId;
    this.#caller = caller;
  }

  /** The caller's until a time limit is put on the work; making one is left to those who ask for it. */
  get signal(): AbortSignal {
    return this.#signal ?? this.#caller.signal;
  }

  set signal(signal: AbortSignal) {
    this.#signal = signal;
  }

  get client(): Client {
    return this.#caller.client ?? NO_CLIENT;
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
