import type { OperationPlan, Variables } from '@reelgraph/sql-planner';
import type { ErrorCode } from '../kernel/errors.ts';
import type { Language } from '../kernel/languages/languages.ts';
import type { RenderedError } from './errors/render-errors.ts';
import type { Payer } from './limits/quota.ts';
import type { Client } from './request-context.ts';
import type { Credential } from './viewer.ts';

/** Who reads a response. */
export interface Reader {
  readonly language: Language;
}

/** One received operation. */
export interface GraphqlRequest {
  /** The document's text, or the id of a trusted document. */
  readonly query?: string | undefined;
  readonly documentId?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
  /** A supported version of the API, or the preview; the current version by default. */
  readonly version?: string | undefined;
  readonly credential: Credential;
  /** A GET request: mutations are refused. */
  readonly queriesOnly: boolean;
  readonly requestId: string;
  /** Who reads the response; default: English. The language is asked for only where there is a text for people. */
  readonly reader?: Reader | undefined;
  readonly signal: AbortSignal;
  /** Size of the received request, document and variables together, for its cost. */
  readonly bytes?: number | undefined;
  /** The bucket of anonymous requests: the client's address. */
  readonly clientAddress?: string | undefined;
  /** Subscriptions: cursor of the last message, from a reconnecting client. */
  readonly lastEventId?: string | undefined;
  /** The header Idempotency-Key: a repeated mutation with the same key gets the first response. */
  readonly idempotencyKey?: string | undefined;
  /** The client, for commands that count viewers. */
  readonly client?: Client | undefined;
  /** Set for work of the platform itself, such as exports: charged to no bucket. Never read from a request. */
  readonly unmetered?: boolean | undefined;
}

export interface CostReport {
  readonly requested: number;
  readonly actual: number;
  readonly available: number;
  readonly restoreRate: number;
}

/** A deprecated element that an operation uses, in `extensions.deprecations` of its response. */
export interface DeprecationNotice {
  /** `Mutation.like`, `Query.videos(sort:)`, `Order.OLD`. */
  readonly element: string;
  /** What to use instead. */
  readonly use: string;
  /** Day since which it is deprecated, `YYYY-MM-DD`; null before the first version. */
  readonly since: string | null;
  /** The earliest day of its removal; null as long as none is set. */
  readonly removal: string | null;
}

export interface ResponseExtensions {
  readonly cost: CostReport;
  readonly deprecations?: readonly DeprecationNotice[];
}

export interface GraphqlResult {
  readonly body: { data?: unknown; errors?: RenderedError[]; extensions: ResponseExtensions };
  /** Set when the whole request failed for one reason, which then decides the HTTP status. */
  readonly failure: ErrorCode | null;
  readonly retryAfterSeconds?: number;
  /** Name of the operation that was executed, for logs and metrics; empty for one without a name. */
  readonly operation?: string;
  /** Set when the idempotency key decides on the status. */
  readonly status?: number;
  /** Set when it is the stored response of an earlier request. */
  readonly replayed?: boolean;
  /** Set when a mutation was refused because the request was a GET. */
  readonly needsPost?: boolean;
  /** Set when a selected field is `secret`: the response must not be compressed. */
  readonly revealing?: boolean;
  /** Set when the operation uses deprecated elements. */
  readonly deprecations?: readonly DeprecationNotice[];
  /** Set when the request had an expired session, so that the cookie is cleared. */
  readonly sessionOver?: boolean;
}

/** One message of a subscription. */
export interface SubscriptionMessage {
  /** Where to continue after this message; null in the last message of a stream. */
  readonly cursor: string | null;
  readonly body: GraphqlResult['body'];
}

/** The result of a request for a stream. */
export type SubscriptionStart =
  /** Not a subscription, or refused: a single response. */
  | { readonly kind: 'answer'; readonly result: GraphqlResult }
  | {
      readonly kind: 'stream';
      readonly operation: string;
      readonly accountId: string | null;
      readonly messages: AsyncIterable<SubscriptionMessage>;
      readonly deprecations: readonly DeprecationNotice[] | undefined;
    };

/** One request on its way through the engine. */
export interface Attempt {
  readonly request: GraphqlRequest;
  readonly nowMs: number;
  readonly payer: Payer;
}

/** A request whose document is planned. */
export interface PlannedRequest {
  readonly plan: OperationPlan;
  /** Coerced variables. */
  readonly variables: Variables;
  /** Points for the size of the request and the lists in its arguments. */
  readonly extraPoints: number;
  /** The maximum cost. */
  readonly cost: number;
}

const ANONYMOUS: Credential = { kind: 'anonymous' };

/** The same request, sent anonymously. Requests may have accessors, which spreading would omit. */
export function asAnonymous({
  query,
  documentId,
  variables,
  operationName,
  version,
  queriesOnly,
  requestId,
  reader,
  signal,
  bytes,
  clientAddress,
}: GraphqlRequest): GraphqlRequest {
  return {
    query,
    documentId,
    variables,
    operationName,
    version,
    queriesOnly,
    requestId,
    reader,
    signal,
    bytes,
    clientAddress,
    credential: ANONYMOUS,
  };
}

/** The variables of a request without any. */
export const NO_VARIABLES = Object.freeze({});

/** The lookup value of the viewer: `$1` of the viewer's row. */
export function credentialValue(credential: Credential): Buffer | string | null {
  if (credential.kind === 'key' || credential.kind === 'token') return credential.lookupHash;
  if (credential.kind === 'oauth') return credential.tokenHash;
  return credential.kind === 'session' ? credential.token : null;
}
