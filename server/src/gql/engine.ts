import type { Operation, SqlReader, Variables } from '@reelgraph/sql-planner';
import type { GraphQLSchema } from 'graphql';
import type { ApiVersions } from '../kernel/api-versions.ts';
import type { AppError } from '../kernel/errors.ts';
import type { SwitchedOff } from '../kernel/features.ts';
import type { IdempotencyKeys } from './idempotency/idempotency-keys.ts';
import type { RequireChannels } from './limits/objects-in.ts';
import type { Limits } from './limits/request-cost.ts';
import type { UsageLimits } from './limits/usage-limits.ts';
import type { EngineEnv, Services } from './request-context.ts';
import type { CostReport, GraphqlRequest, GraphqlResult, SubscriptionStart } from './requests.ts';
import type { TrustedDocuments } from './trusted-documents.ts';
import type { Authorize, Credential, CredentialKind, Viewer, ViewerSource } from './viewer.ts';

export interface EngineOptions {
  /** With the elements of all versions. */
  readonly schema: GraphQLSchema;
  /** Those of the platform by default. */
  readonly versions?: ApiVersions;
  readonly db: SqlReader;
  readonly clock: { now(): number };
  readonly viewerSource: ViewerSource;
  readonly authorize: Authorize;
  readonly env: EngineEnv;
  readonly services: Services;
  readonly trustedDocuments?: TrustedDocuments;
  readonly limits?: Partial<Limits>;
  readonly log: { error(context: object, message: string): void };
  /** Without it, requests with an idempotency key are refused. */
  readonly idempotencyKeys?: IdempotencyKeys;
  /** Enforces the usage limits of keys and writes their audit log. */
  readonly usageLimits?: UsageLimits;
  /** Refuses mutations on objects outside the channels of the viewer's token. */
  readonly requireChannels?: RequireChannels;
  /** Features whose mutations are refused now; default none. */
  readonly switchedOff?: SwitchedOff;
  /** The error for a credential that is not valid, where more is known about it than that. */
  readonly explainRefusal?: (credential: Credential) => Promise<AppError | null>;
  /** Called with the viewer of every authenticated request, for `last used`. Must not throw. */
  readonly onViewer?: (viewer: Viewer, nowMs: number) => void;
}

export interface Engine {
  /** Of the current version. */
  readonly schema: GraphQLSchema;
  /** Runs one operation. Never rejects: every failure is in the result. */
  execute(request: GraphqlRequest): Promise<GraphqlResult>;
  /**
   * Runs one operation whose response may be a stream; it ends when the request's signal is aborted. Neither this nor
   * the stream rejects: an error is the last message.
   */
  subscribe(request: GraphqlRequest): Promise<SubscriptionStart>;
  /**
   * The account of a credential, for connections that carry several requests.
   * @throws AppError UNAUTHENTICATED when it is not valid.
   */
  requireAccount(credential: Credential): Promise<string>;
  /** Calls `refused` once, within seconds, when the credential is no longer valid. Returns what ends that. */
  watch(credential: Credential, refused: () => void): () => void;
  /** The remaining points of an account, for the rateLimit query. */
  quotaOf(accountId: string): { limit: number; remaining: number; restoreRate: number; resetAtMs: number };
  /** Documents and plans kept, for metrics. */
  readonly statistics: { documents: number; plans: number };
  /**
   * The operation of a document that is an argument of a mutation (`input.query`, `input.variables`), not executed.
   * @throws AppError GRAPHQL_VALIDATION_FAILED with the first error of the document or the variables.
   */
  examine(query: string, variables: Readonly<Record<string, unknown>>, credential: CredentialKind): ExaminedOperation;
  /** Points that one operation may cost. */
  readonly maxCost: number;
  /** Cost of a request that was refused before the engine. */
  readonly noCost: CostReport;
}

export interface ExaminedOperation {
  readonly operation: Operation;
  /** Coerced. */
  readonly variables: Variables;
  /** For full pages. */
  readonly cost: number;
}
