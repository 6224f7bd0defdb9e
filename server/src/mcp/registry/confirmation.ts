import {
  acceptedContent,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type AgentSession, supportsElicitation } from '../session/session.ts';
import { CONFIRMATION, type Elicitation, type ElicitationOutcome } from './elicitation.ts';
import type { Report, Tool } from './tool.ts';

/** Longer arguments are truncated in the question. */
const MAX_SHOWN = 4_000;

/** Results of unconfirmed calls. */
const REFUSALS: Readonly<Record<Exclude<ElicitationOutcome, 'CONFIRMED'>, string>> = {
  DECLINED: 'The person declined. Nothing was changed.',
  FAILED: 'The client could not ask the person to confirm. Nothing was changed.',
  CANCELLED: 'The call was cancelled. Nothing was changed.',
  UNANSWERED: 'The person did not answer in time. Nothing was changed; call the tool again when they are there.',
  GONE: 'The client is gone. Nothing was changed.',
  TOO_MANY:
    'Too many confirmations are already pending. Nothing was changed; call the tool again when they are answered.',
};

/** Elicitation over protocols before 2026-07-28, in which the server asks while a call runs. */
export interface Elicitor {
  readonly elicitation: Elicitation;
  readonly session: AgentSession;
  readonly account: string;
  readonly signal: AbortSignal;
  readonly report: Report;
}

/**
 * Asks the user to confirm a destructive call if the client supports it; null when no confirmation is needed (any
 * more). In the protocol of 2026-07-28 the result is a question and the client calls again; before it, the call waits.
 */
export async function confirmation(
  server: Server,
  tool: Tool,
  params: CallToolRequest['params'],
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
  elicitor: Elicitor | null,
): Promise<CallToolResult | InputRequiredResult | null> {
  const question = () => inputRequired.elicit({ message: questionOf(tool, params), requestedSchema: CONFIRMATION });
  if (elicitor) return refusalOf(await elicitConfirmation(server, mcpReq.id, question(), elicitor));
  if (!supportsElicitation(server.getClientCapabilities())) return null;
  if (mcpReq.inputResponses?.['confirm'] === undefined)
    return inputRequired({ inputRequests: { confirm: question() } });
  return refusalOf(
    acceptedContent(mcpReq.inputResponses, 'confirm', CONFIRMATION)?.confirm === true ? 'CONFIRMED' : 'DECLINED',
  );
}

async function elicitConfirmation(
  server: Server,
  requestId: string | number,
  { params }: ReturnType<typeof inputRequired.elicit>,
  { elicitation, session, account, signal, report }: Elicitor,
): Promise<ElicitationOutcome> {
  // Forms were the only mode before 2025-11-25, and are the default since.
  const { mode: _mode, ...form } = params as Record<string, unknown>;
  const outcome = await elicitation.ask(session, account, {
    requestId,
    params: form,
    send: async (message) => server.transport?.send(message, { relatedRequestId: requestId }),
    signal,
    report,
  });
  // A cancelled call gets no response (MCP "Cancellation", section "Behavior Requirements").
  if (outcome === 'CANCELLED') await server.close();
  return outcome;
}

function questionOf(tool: Tool, params: CallToolRequest['params']): string {
  const given = JSON.stringify(params.arguments ?? {});
  const more = given.length - MAX_SHOWN;
  return (
    `${tool.definition.title}: ` +
    `${more > 0 ? `${given.slice(0, MAX_SHOWN)}… (and ${more} characters more)` : given}. Continue?`
  );
}

function refusalOf(outcome: ElicitationOutcome): CallToolResult | null {
  return outcome === 'CONFIRMED' ? null : { isError: true, content: [{ type: 'text', text: REFUSALS[outcome] }] };
}
