import type { OperationPlan, Variables } from '@reelgraph/sql-planner';
import type { ErrorCode } from '../kernel/errors.ts';
import type { RenderedError } from './errors/render-errors.ts';
import type { Payer } from './limits/quota.ts';
import type { Client } from './request-context.ts';
import type { Credential } from './viewer.ts';

/** One operation as it came in. */
export interface GraphqlRequest {
  /** The document's text, or the id of a trusted document. */
  readonly query?: string | undefined;
  readonly documentId?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
  readonly credential: Credential;
  /** A GET request: mutations are refused. */
  readonly queriesOnly: boolean;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Size of the request as it came in, document and variables together: it is charged for. */
  readonly bytes?: number | undefined;
  /** Whose bucket anonymous requests are taken from: the client's address. */
  readonly clientAddress?: string | undefined;
  /** Subscriptions: cursor of the last message, from a client that connects again. */
  readonly lastEventId?: string | undefined;
  /** The header Idempotency-Key: a mutation that is repeated with it is answered as the first time. */
  readonly idempotencyKey?: string | undefined;
  /** Who sent the request, for commands that count viewers. */
  readonly client?: Client | undefined;
}

export interface CostReport {
  readonly requested: number;
  readonly actual: number;
  readonly available: number;
  readonly restoreRate: number;
}

export interface GraphqlResult {
  readonly body: { data?: unknown; errors?: RenderedError[]; extensions: { cost: CostReport } };
  /** Set when the whole request failed for one reason, which then decides the HTTP status. */
  readonly failure: ErrorCode | null;
  readonly retryAfterSeconds?: number;
  /** Set when the idempotency key decides on the status. */
  readonly status?: number;
  /** Set when it is the stored answer of an earlier request. */
  readonly replayed?: boolean;
  /** Set when a mutation was refused because the request was a GET. */
  readonly needsPost?: boolean;
  /** Set when the request came with a session that is over: the browser may forget its cookie. */
  readonly sessionOver?: boolean;
}

/** One message of a subscription. */
export interface SubscriptionMessage {
  /** Where to continue after this message; null in the one with which a stream ends. */
  readonly cursor: string | null;
  readonly body: GraphqlResult['body'];
}

/** The result of a request for a stream. */
export type SubscriptionStart =
  /** It is no subscription, or was refused: one response is all there is. */
  | { readonly kind: 'answer'; readonly result: GraphqlResult }
  | {
      readonly kind: 'stream';
      readonly accountId: string | null;
      readonly messages: AsyncIterable<SubscriptionMessage>;
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
  /** All points that it may take. */
  readonly cost: number;
}

const ANONYMOUS: Credential = { kind: 'anonymous' };

/** The same request, sent anonymously. Requests may be made of accessors, which spreading would leave out. */
export function asAnonymous({
  query,
  documentId,
  variables,
  operationName,
  queriesOnly,
  requestId,
  signal,
  bytes,
  clientAddress,
}: GraphqlRequest): GraphqlRequest {
  return {
    query,
    documentId,
    variables,
    operationName,
    queriesOnly,
    requestId,
    signal,
    bytes,
    clientAddress,
    credential: ANONYMOUS,
  };
}

/** What a request without variables has. */
export const NO_VARIABLES = Object.freeze({});

/** What the viewer is found by: `$1` of the viewer's row. */
export function credentialValue(credential: Credential): Buffer | string | null {
  if (credential.kind === 'key') return credential.lookupHash;
  if (credential.kind === 'oauth') return credential.tokenHash;
  return credential.kind === 'session' ? credential.token : null;
}
