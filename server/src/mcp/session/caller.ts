import type { Engine } from '../../gql/engine.ts';
import type { Client } from '../../gql/request-context.ts';
import type { CostReport, GraphqlResult } from '../../gql/requests.ts';
import type { Credential } from '../../gql/viewer.ts';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { costLimit, limitHeaders } from '../../kernel/service-limits.ts';

/** The executable schema as seen by the tools. */
export type ToolEngine = Pick<Engine, 'schema' | 'execute'>;

/** The same as seen by the entry point, which follows resources and reports what is left to an account. */
export type AgentEngine = ToolEngine & Pick<Engine, 'noCost' | 'subscribe'>;

/** One HTTP request of an agent, before authentication. */
export interface AgentRequest {
  readonly credential: Credential;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly client: Client;
  readonly signal: AbortSignal;
  /** What the operations that ran note for the response. */
  readonly response: ResponseNotes;
}

export interface ResponseNotes {
  /** Whether the response contains a secret and must not be compressed. */
  revealing: boolean;
  /** Of the latest operation. */
  cost: CostReport;
}

/** The caller: the account behind the key, with its current permissions. */
export interface Caller extends AgentRequest {
  readonly username: string;
  readonly channelId: string;
  readonly channelName: string;
  readonly permissions: ReadonlySet<string>;
}

const IDENTIFY = 'query AgentConnection { verifyConnection { user { username } channel { id name } permissions } }';

interface Connection {
  readonly user: { readonly username: string };
  readonly channel: { readonly id: string; readonly name: string };
  readonly permissions: readonly string[];
}

/**
 * Authenticates the key like a GraphQL request. Throws the API's errors: UNAUTHENTICATED, UNAUTHORIZED,
 * RATE_LIMIT_EXCEEDED, …
 */
export async function identify(engine: AgentEngine, request: AgentRequest): Promise<Caller> {
  const result = await runOperation(engine, request, { query: IDENTIFY, queriesOnly: true });
  if (result.failure !== null) throw failureOf(engine, result, result.failure);
  // The query above.
  const { user, channel, permissions } = (result.body.data as { verifyConnection: Connection }).verifyConnection;
  return {
    ...request,
    username: user.username,
    channelId: channel.id,
    channelName: channel.name,
    permissions: new Set(permissions),
  };
}

export interface OperationCall {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly operationName?: string | undefined;
  readonly queriesOnly?: boolean;
}

/** Runs an operation in process, with the same planner, limits and errors as over HTTP. */
export async function runOperation(
  engine: ToolEngine,
  caller: AgentRequest,
  call: OperationCall,
): Promise<GraphqlResult> {
  const { credential, requestId, clientAddress, client, signal, response } = caller;
  const result = await engine.execute({
    ...{ queriesOnly: false, ...call },
    ...{ credential, requestId, clientAddress, client, signal },
  });
  if (result.revealing) response.revealing = true;
  response.cost = result.body.extensions.cost;
  return result;
}

/** The error of an operation that was refused as a whole. */
export function failureOf(
  { noCost }: AgentEngine,
  { body, retryAfterSeconds }: GraphqlResult,
  code: ErrorCode,
): AppError {
  const [first] = body.errors ?? [];
  const { suggestedFix } = first?.extensions ?? {};
  return new AppError(code, first?.message ?? code, {
    ...(typeof suggestedFix === 'string' ? { suggestedFix } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(code === 'RATE_LIMIT_EXCEEDED'
      ? { headers: { ...limitHeaders([costLimit(body.extensions.cost, noCost.available)]) } }
      : {}),
  });
}
