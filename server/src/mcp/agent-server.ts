import {
  type CallToolRequest,
  type ProtocolEra,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { AppError } from '../kernel/errors.ts';
import { complete } from './completion.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { getPrompt, PROMPTS } from './prompts.ts';
import { confirmation } from './registry/confirmation.ts';
import type { Elicitation } from './registry/elicitation.ts';
import type { ToolOptions } from './registry/operation-tool.ts';
import type { Report, ToolCall } from './registry/tool.ts';
import { RESOURCES, readResource, resourceTemplates } from './resources.ts';
import type { Caller } from './session/caller.ts';
import { type AgentSession, agentOf } from './session/session.ts';
import type { SessionStreams } from './subscriptions/session-streams.ts';
import type { TaskOptions } from './tasks/task.ts';
import { TASKS } from './tasks/tasks.ts';
import type { Choice } from './tool-registry.ts';

export interface AgentServerOptions extends ToolOptions, TaskOptions {
  readonly version: string;
  /** The `<ns>` of DIDs. */
  readonly namespace: string;
  readonly elicitation: Elicitation;
  readonly streams: SessionStreams;
}

/** The sender of a message and its choice of tools. */
export interface Exchange {
  readonly caller: Caller;
  readonly choice: Choice;
  /** Only for clients of protocols before 2026-07-28. */
  readonly session: AgentSession | null;
  readonly era: ProtocolEra;
}

/** The SDK server for one request; holds no state between requests. */
export function agentServer(options: AgentServerOptions, exchange: Exchange): Server {
  const { caller, choice, session, era } = exchange;
  const { toolRegistry, version } = options;
  const tasks = choice.readOnly ? null : TASKS[era]; // tools that wait are mutations
  const server = new Server(
    { name: 'reelgraph', title: 'Reelgraph', version },
    {
      capabilities: {
        ...{ tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
        ...tasks?.capabilities,
      },
      instructions: INSTRUCTIONS,
      inputRequired: { legacyShim: false },
    },
  );
  const callerIn = ({ mcpReq }: ServerContext): Caller => ({
    ...caller,
    signal: AbortSignal.any([caller.signal, mcpReq.signal]),
    client: { ...caller.client, ...nameOf(server, session) },
  });
  const confirmFor = ({ caller: { signal }, report }: ToolCall) =>
    session?.asks ? { elicitation: options.elicitation, session, account: caller.channelId, signal, report } : null;
  tasks?.serve(server, callerIn, options);
  server.setRequestHandler('tools/list', () => ({
    tools: toolRegistry.list(choice, caller.permissions).map(({ definition }) => definition),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = toolRegistry.find(params.name, choice);
    // An unknown tool is a protocol error; everything else is a result for the model (MCP "Tools", section "Error
    // Handling").
    if (!tool)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, toolRegistry.explainMissing(params.name, choice));
    const call: ToolCall = {
      caller: callerIn(context),
      arguments: params.arguments ?? {},
      report: reporter(params, context),
    };
    const isAsked = tool.needsConfirmation?.(call.arguments) ?? tool.isDestructive;
    const refused = isAsked ? await confirmation(server, tool, params, context, confirmFor(call)) : null;
    return refused ?? (await tasks?.begin(server, { tool, call, params }, options)) ?? tool.call(call);
  });
  serveDocuments(server, options, caller);
  // In the protocol of 2026-07-28 the entry point listens for the client.
  if (era === 'legacy') serveSubscriptions(server, options, exchange);
  return server;
}

function serveSubscriptions(server: Server, { streams }: AgentServerOptions, { caller, session }: Exchange): void {
  const ofSession = (): AgentSession => {
    if (session) return session;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidRequest,
      'Subscriptions need a session: send the Mcp-Session-Id that the response to initialize has.',
    );
  };
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    await streams.subscribe(ofSession(), caller, params.uri).catch(asInvalidParams);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
    await streams.unsubscribe(ofSession(), params.uri);
    return {};
  });
}

function serveDocuments(server: Server, options: AgentServerOptions, caller: Caller): void {
  const { engine, toolRegistry, namespace } = options;
  server.setRequestHandler('resources/list', () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: resourceTemplates(namespace) }));
  server.setRequestHandler('resources/read', ({ params }) =>
    readResource(params.uri, toolRegistry, caller, options).catch(asInvalidParams),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler('completion/complete', ({ params }) =>
    complete(params, { engine, caller, namespace }).catch(asInvalidParams),
  );
  server.setRequestHandler('prompts/get', ({ params }) => {
    try {
      return getPrompt(params.name, params.arguments ?? {});
    } catch (error) {
      return asInvalidParams(error);
    }
  });
}

/** A missing resource is an invalid-params error, with the message of the catalogue. */
function asInvalidParams(error: unknown): never {
  throw error instanceof AppError
    ? new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.message} ${error.suggestedFix}`)
    : error;
}

/** Client name; without a session the older protocols send it only once, so User-Agent is used. */
function nameOf(server: Server, session: AgentSession | null): { agent?: string } {
  if (session) return { agent: session.agent };
  const { name, version } = server.getClientVersion() ?? {};
  return name === undefined ? {} : { agent: agentOf(name, version) };
}

/** Progress is sent only with a progress token of the client (MCP "Progress"). */
function reporter(params: CallToolRequest['params'], { mcpReq }: ServerContext): Report {
  const progressToken = params._meta?.progressToken ?? mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  return (progress, total, message) =>
    // A disconnected client needs no progress; the signal ends the call.
    void mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } })
      .catch(() => {});
}
