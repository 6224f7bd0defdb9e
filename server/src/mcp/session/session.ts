import { type InitializeRequest, isInitializeRequest } from '@modelcontextprotocol/server';
import { HttpError } from '../../http/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/config/secret-key.ts';
import { openToken, sealToken } from './sealed-token.ts';

/** After so long a client has to initialize again. */
const LIFETIME_MS = 7 * 24 * 3_600_000;
const MAX_AGENT = 100;

/** What a client of the protocols before 2026-07-28 told when it initialized, and comes back with every message. */
export interface AgentSession {
  /** As in the header Mcp-Session-Id. */
  readonly id: string;
  /** What the client calls itself. */
  readonly agent: string;
}

/** What is sealed in a session's id. */
type SessionToken = readonly [account: string, agent: string, expiresAt: number];

/**
 * Sessions that nobody keeps: the id is what there is to know, sealed, so that any instance reads it (MCP "Transports", section "Session
 * Management"). Only clients that can be asked by a form get one, since asking is all it is for; the others have no session.
 */
export class AgentSessions {
  readonly #secrets: Secrets;
  readonly #clock: Clock;

  constructor({ secrets, clock }: { readonly secrets: Secrets; readonly clock: Clock }) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /** The id of a new session of the account, where the message initializes one with a client that can be asked; else null. */
  begin(message: unknown, account: string): string | null {
    if (!isInitializeRequest(message) || !supportsElicitation(message.params.capabilities)) return null;
    const { name, version } = message.params.clientInfo;
    const sealed: SessionToken = [account, agentOf(name, version), this.#clock.now() + LIFETIME_MS];
    return sealToken(this.#secrets, 'agent-session', sealed);
  }

  /** The session a message belongs to; null without one. Throws 404 for ids that are not ours, over, or another account's. */
  find(id: string | null, account: string): AgentSession | null {
    if (id === null) return null;
    // Questions are bound to the id: there is one spelling of it.
    const [owner, agent, expiresAt] = (openToken(this.#secrets, 'agent-session', id) as SessionToken | undefined) ?? [null, '', 0]; // sealed by `begin`
    if (owner !== account || expiresAt <= this.#clock.now())
      throw new HttpError(404, 'RESOURCE_NOT_FOUND', 'There is no such session, or it is over.', {
        suggestedFix: 'Send initialize without Mcp-Session-Id, and go on with the one of its answer.',
      });
    return { id, agent };
  }
}

/** Whether a client shows forms to its person; a bare `elicitation` says so too (MCP "Elicitation", section "Capabilities"). */
export function supportsElicitation(capabilities: InitializeRequest['params']['capabilities'] | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** A client's own name as it is noted. */
export function agentOf(name: string, version: string | undefined): string {
  return (version === undefined ? name : `${name} ${version}`).slice(0, MAX_AGENT);
}
