import {
  type CallToolRequest,
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  type ProtocolEra,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type Server,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool, ToolCall } from '../registry/tool.ts';
import type { Caller } from '../session/caller.ts';
import { asProtocolError, findTask, lookAt, makeTask, resultOf, stateOf, type Task, type TaskOptions } from './task.ts';

/**
 * Tasks: calls of waiting tools that return at once with an id to poll. The platform does the work and knows its
 * progress; a task is a stateless handle, so tasks are not listed and cannot be cancelled: the client stops polling.
 */
export interface Tasks {
  /** The declared capability. */
  readonly capabilities: ServerCapabilities;
  /** The response of a call that becomes a task; null for a normal call. May throw a ProtocolError. */
  begin(server: Server, called: Called, options: TaskOptions): Promise<CallToolResult | null>;
  /** Handles task requests of clients. */
  serve(server: Server, callerIn: (context: ServerContext) => Caller, options: TaskOptions): void;
}

export interface Called {
  readonly tool: Tool;
  readonly call: ToolCall;
  readonly params: CallToolRequest['params'];
}

const POLL_MS = 5_000;
const TASK = { params: z.looseObject({ taskId: z.string() }) };
const EXTENSION = 'io.modelcontextprotocol/tasks';
/** Message for the model while the task is running (MCP 2025-11-25 "Tasks", section "Creating Tasks"). */
const IMMEDIATE_RESPONSE = 'io.modelcontextprotocol/model-immediate-response';

/** MCP 2025-11-25 "Tasks": the client asks for a task with `params.task`. */
const legacy: Tasks = {
  capabilities: { tasks: { requests: { tools: { call: {} } } } },
  async begin(_server, { tool, call, params }, options) {
    if (params.task === undefined) return null;
    const { waiting } = tool;
    if (!waiting)
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `${tool.definition.name} cannot be called as a task.`);
    const work = await waiting.look(call);
    if ('content' in work) throw asProtocolError(work);
    const task = makeTask(options, { tool, waiting, call, work, ttlMs: params.task.ttl });
    const text = `Running as a task (${work.message}). The result follows; other tools can be called meanwhile.`;
    // A task starts as working, even one whose work has ended.
    const state = { ...stateOf(task, { ...work, isOver: false }), ...legacyDurations(task) };
    // The SDK requires content in every result of tools/call, and passes on other members.
    return { content: [{ type: 'text', text }], task: state, _meta: { [IMMEDIATE_RESPONSE]: text } };
  },
  serve(server, callerIn, options) {
    const find = (taskId: string, context: ServerContext) => findTask(taskId, callerIn(context), options);
    server.setRequestHandler('tasks/get', TASK, async ({ taskId }, context) => {
      const task = find(taskId, context);
      return { ...stateOf(task, await lookAt(task)), ...legacyDurations(task) };
    });
    server.setRequestHandler('tasks/result', TASK, async ({ taskId }, context) => {
      const result = await resultOf(find(taskId, context));
      return { ...result, _meta: { ...result._meta, [RELATED_TASK_META_KEY]: { taskId } } };
    });
  },
};

/**
 * The extension of 2026-07-28 (SEP-2663): a client that declares it gets a task whenever a call would take long to
 * complete.
 */
const modern: Tasks = {
  capabilities: { extensions: { [EXTENSION]: {} } },
  async begin(server, { tool, call }, options) {
    const { waiting } = tool;
    if (!waiting?.isLong(call.arguments) || !declaresTasks(server)) return null;
    const work = await waiting.look(call);
    if ('content' in work || work.isOver) return null;
    const task = makeTask(options, { tool, waiting, call, work });
    return { resultType: 'task', content: [], ...stateOf(task, work), ...modernDurations(task) };
  },
  serve(server, callerIn, options) {
    const find = (taskId: string, context: ServerContext) => {
      if (declaresTasks(server)) return findTask(taskId, callerIn(context), options);
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [EXTENSION]: {} } } });
    };
    server.setRequestHandler('tasks/get', TASK, async ({ taskId }, context) => {
      const task = find(taskId, context);
      const work = await lookAt(task);
      const result = work.isOver ? { result: { resultType: 'complete', ...(await task.waiting.wait(task.call)) } } : {};
      return { ...stateOf(task, work), ...modernDurations(task), ...result };
    });
    // Tasks never request input, and a cancelled task may continue, because it does not own the work.
    for (const method of ['tasks/update', 'tasks/cancel'])
      server.setRequestHandler(method, TASK, ({ taskId }, context) => {
        find(taskId, context);
        return {};
      });
  },
};

/** Selected by the client's protocol. */
export const TASKS: Readonly<Record<ProtocolEra, Tasks>> = { legacy, modern };

const legacyDurations = ({ claims }: Task) => ({ ttl: claims.ttlMs, pollInterval: POLL_MS });
const modernDurations = ({ claims }: Task) => ({ ttlMs: claims.ttlMs, pollIntervalMs: POLL_MS });

function declaresTasks(server: Server): boolean {
  return server.getClientCapabilities()?.extensions?.[EXTENSION] !== undefined;
}
