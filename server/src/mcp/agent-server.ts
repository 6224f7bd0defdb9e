import {
  acceptedContent,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import type { Caller } from './caller.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { ToolOptions } from './operation-tool.ts';
import { getPrompt, PROMPTS } from './prompts.ts';
import { RESOURCES, readResource, resourceTemplates } from './resources.ts';
import type { Report, Tool } from './tool.ts';
import type { Choice, Toolbox } from './toolbox.ts';

export interface AgentServerOptions extends ToolOptions {
  readonly toolbox: Toolbox;
  readonly version: string;
  /** The `<ns>` of DIDs. */
  readonly namespace: string;
}

/** What the SDK needs for one exchange: built for each request, holding nothing between two of them. */
export function agentServer(options: AgentServerOptions, caller: Caller, choice: Choice): Server {
  const { toolbox, version, namespace } = options;
  const server = new Server(
    { name: 'reelgraph', title: 'Reelgraph', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
      instructions: INSTRUCTIONS,
      inputRequired: { legacyShim: false },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: toolbox.list(choice, caller.permissions).map(({ definition }) => definition) }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = toolbox.find(params.name, choice);
    // An unknown tool is a fault of the protocol; everything else is answered to the model (MCP "Tools", section "Error Handling").
    if (!tool)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name.slice(0, 80))} here.`);
    return callTool(server, tool, params, caller, context);
  });
  server.setRequestHandler('resources/list', () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: resourceTemplates(namespace) }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri, toolbox, caller, options).catch(asInvalidParams));
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    try {
      return getPrompt(params.name, params.arguments ?? {});
    } catch (error) {
      return asInvalidParams(error);
    }
  });
  return server;
}

/** What is not there is a fault of the request's parameters, in the words of the catalogue. */
function asInvalidParams(error: unknown): never {
  throw error instanceof AppError ? new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.message} ${error.suggestedFix}`) : error;
}

async function callTool(
  server: Server,
  tool: Tool,
  params: CallToolRequest['params'],
  caller: Caller,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const asked = tool.isDestructive ? confirmation(server, tool, params, context) : null;
  if (asked) return asked;
  const signal = AbortSignal.any([caller.signal, context.mcpReq.signal]);
  return tool.call({
    caller: { ...caller, signal, client: { ...caller.client, ...nameOf(server) } },
    arguments: params.arguments ?? {},
    report: reporter(params, context),
  });
}

/** What the client calls itself; without sessions the older protocol tells it once only, and User-Agent has to do. */
function nameOf(server: Server): { agent?: string } {
  const { name, version } = server.getClientVersion() ?? {};
  return name === undefined ? {} : { agent: version === undefined ? name : `${name} ${version}` };
}

const CONFIRMATION = z.object({ confirm: z.boolean().describe('Do it') });

/** Asks the person before something is destroyed, where their client can ask; null when there is nothing (more) to ask. */
function confirmation(
  server: Server,
  tool: Tool,
  params: CallToolRequest['params'],
  { mcpReq }: ServerContext,
): CallToolResult | InputRequiredResult | null {
  if (!server.getClientCapabilities()?.elicitation) return null;
  if (mcpReq.inputResponses?.['confirm'] === undefined) {
    const message = `${tool.definition.title}: ${JSON.stringify(params.arguments ?? {})}. Really?`;
    return inputRequired({ inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema: CONFIRMATION }) } });
  }
  if (acceptedContent(mcpReq.inputResponses, 'confirm', CONFIRMATION)?.confirm === true) return null;
  return { isError: true, content: [{ type: 'text', text: 'The person declined. Nothing was changed.' }] };
}

/** Progress goes out only where the client gave a token for it (MCP "Progress"). */
function reporter(params: CallToolRequest['params'], { mcpReq }: ServerContext): Report {
  const progressToken = params._meta?.progressToken ?? mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  return (progress, total, message) =>
    // A client that is gone does not read progress; the call itself ends by its signal.
    void mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } }).catch(() => {});
}
