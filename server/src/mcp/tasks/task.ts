import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/config/secret-key.ts';
import type { Arguments, Tool, ToolCall, Waiting, Work } from '../registry/tool.ts';
import type { Caller } from '../session/caller.ts';
import { openToken, sealToken } from '../session/sealed-token.ts';
import type { ToolRegistry } from '../tool-registry.ts';

/** How long a task can be polled, unless the client requests less. Tasks are stateless. */
const MAX_TTL_MS = 24 * 3_600_000;
const MIN_TTL_MS = 60_000;

export interface TaskOptions {
  readonly toolRegistry: ToolRegistry;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly clock: Clock;
}

/** The content of a task id: the waiting call, its account and its expiry. */
interface TaskClaims {
  /** The caller's channel. */
  readonly account: string;
  /** Name of the tool. */
  readonly tool: string;
  readonly arguments: Arguments;
  /** The awaited work; null without any. */
  readonly work: string | null;
  /** Unix milliseconds. */
  readonly createdMs: number;
  readonly ttlMs: number;
}

/** A task in the form common to both protocols, except for the names of its durations. */
export interface TaskState {
  readonly taskId: string;
  readonly status: 'working' | 'completed';
  readonly statusMessage: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
}

/** A valid task, with its call. */
export interface Task {
  readonly id: string;
  readonly claims: TaskClaims;
  readonly waiting: Waiting;
  readonly call: ToolCall;
}

/** A new task: the call of this tool, waiting for this work. `ttlMs` is requested by the client and capped. */
export function makeTask(
  { secrets, clock }: TaskOptions,
  {
    tool,
    waiting,
    call,
    work,
    ttlMs = MAX_TTL_MS,
  }: { tool: Tool; waiting: Waiting; call: ToolCall; work: Work; ttlMs?: number | undefined },
): Task {
  const claims: TaskClaims = {
    account: call.caller.channelId,
    tool: tool.definition.name,
    arguments: call.arguments,
    work: work.id,
    createdMs: clock.now(),
    ttlMs: Math.round(Math.min(Math.max(ttlMs, MIN_TTL_MS), MAX_TTL_MS)),
  };
  return { id: sealToken(secrets, 'agent-task', claims), claims, waiting, call };
}

/**
 * The caller's task. Throws a ProtocolError (invalid params) for an id that is not genuine or not the caller's, or has
 * expired.
 */
export function findTask(id: string, caller: Caller, { toolRegistry, secrets, clock }: TaskOptions): Task {
  const claims = openToken(secrets, 'agent-task', id) as TaskClaims | undefined; // sealed by makeTask
  const waiting =
    claims?.account === caller.channelId ? toolRegistry.find(claims.tool, { readOnly: false })?.waiting : null;
  if (!claims || !waiting) throw noTask('Task not found.');
  if (clock.now() >= claims.createdMs + claims.ttlMs) throw noTask('The task has expired.');
  return { id, claims, waiting, call: { caller, arguments: claims.arguments, report: () => {} } };
}

/**
 * Progress of a task's work. Finished work keeps its result; where other work replaced it, or its subject is no longer
 * visible, the task is gone. Throws a ProtocolError then.
 */
export async function lookAt({ claims, waiting, call }: Task): Promise<Work> {
  const work = await waiting.look(call);
  if ('content' in work) throw asProtocolError(work);
  if (work.id !== claims.work) throw noTask('The task is gone: its work has ended, and other work has started since.');
  return work;
}

/**
 * The result of the call itself, once the work has ended. Throws a ProtocolError after the maximum wait of one request.
 */
export async function resultOf(task: Task): Promise<CallToolResult> {
  const { isOver } = await lookAt(task);
  if (isOver) return task.waiting.wait(task.call);
  await task.waiting.wait(task.call);
  const { isOver: isOverNow, message } = await lookAt(task);
  if (isOverNow) return task.waiting.wait(task.call);
  throw new ProtocolError(ProtocolErrorCode.InternalError, `The task is still running (${message}). Poll again.`);
}

export function stateOf({ id, claims: { createdMs } }: Task, { isOver, message, changedAt }: Work): TaskState {
  const changedMs = changedAt === null ? createdMs : Math.max(createdMs, Date.parse(changedAt));
  return {
    taskId: id,
    status: isOver ? 'completed' : 'working',
    statusMessage: message,
    createdAt: new Date(createdMs).toISOString(),
    lastUpdatedAt: new Date(changedMs).toISOString(),
  };
}

function noTask(why: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, why);
}

/** A refused call as a protocol error, with the message for the model; transient errors are not client errors. */
export function asProtocolError({ content, structuredContent }: CallToolResult): ProtocolError {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const { errors = [] } = (structuredContent ?? {}) as { errors?: { retryable?: unknown }[] }; // from failedResult
  const mayPass = errors.some(({ retryable }) => retryable === true);
  return new ProtocolError(mayPass ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams, text);
}
