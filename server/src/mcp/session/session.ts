import { type InitializeRequest, isInitializeRequest } from '@modelcontextprotocol/server';
import { HttpError } from '../../http/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/config/secret-key.ts';
import { openToken, sealToken } from './sealed-token.ts';

/** Lifetime after which a client must initialize again. */
const LIFETIME_MS = 7 * 24 * 3_600_000;
const MAX_AGENT = 100;

/** State from initialize for clients of protocols before 2026-07-28, sent back with every message. */
export interface AgentSession {
  /** The value of the header Mcp-Session-Id. */
  readonly id: string;
  /** Client name. */
  readonly agent: string;
  /** Whether the client can ask the person for a confirmation. */
  readonly asks: boolean;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The sealed content of a session id. */
type SessionToken = readonly [account: string, agent: string, expiresAt: number, asks: boolean];

/**
 * Stateless sessions: the sealed id holds all state, so that any instance can read it (MCP "Transports", section
 * "Session Management"). Confirmations and subscriptions need one; clients that use neither may ignore it.
 */
export class AgentSessions {
  readonly #secrets: Secrets;
  readonly #clock: Clock;

  constructor({ secrets, clock }: { readonly secrets: Secrets; readonly clock: Clock }) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /** The id of a new session of the account if the message is an initialize; otherwise null. */
  begin(message: unknown, account: string): string | null {
    if (!isInitializeRequest(message)) return null;
    const { clientInfo, capabilities } = message.params;
    const agent = agentOf(clientInfo.name, clientInfo.version);
    const expiresAt = this.#clock.now() + LIFETIME_MS;
    const sealed: SessionToken = [account, agent, expiresAt, supportsElicitation(capabilities)];
    return sealToken(this.#secrets, 'agent-session', sealed);
  }

  /**
   * The session a message belongs to; null without one. Throws 404 for invalid or expired ids and those of other
   * accounts.
   */
  find(id: string | null, account: string): AgentSession | null {
    if (id === null) return null;
    // Elicitations are bound to the id: it has exactly one spelling.
    const sealed = openToken(this.#secrets, 'agent-session', id) as SessionToken | undefined; // sealed by `begin`
    const [owner, agent, expiresAt, asks] = sealed ?? [null, '', 0, false];
    if (owner !== account || expiresAt <= this.#clock.now())
      throw new HttpError(404, 'RESOURCE_NOT_FOUND', 'The session does not exist or has expired.', {
        suggestedFix: 'Send initialize without Mcp-Session-Id, and continue with the one in its response.',
      });
    return { id, agent, asks, expiresAt };
  }
}

/**
 * Whether a client supports form elicitation; a bare `elicitation` counts, too (MCP "Elicitation", section
 * "Capabilities").
 */
export function supportsElicitation(capabilities: InitializeRequest['params']['capabilities'] | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** The recorded name of a client. */
export function agentOf(name: string, version: string | undefined): string {
  return (version === undefined ? name : `${name} ${version}`).slice(0, MAX_AGENT);
}
