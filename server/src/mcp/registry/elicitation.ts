import { createHash, randomBytes } from 'node:crypto';
import {
  acceptedContent,
  inputResponse,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { HttpError } from '../../http/errors.ts';
import { type Secrets, signerOf } from '../../platform/config/secret-key.ts';
import type { MessageBus } from '../../platform/message-bus/message-bus.ts';
import { ConcurrencyLimiter } from '../session/concurrency-limiter.ts';
import type { AgentSession } from '../session/session.ts';
import type { Report } from './tool.ts';

/** Time limit for an answer. */
const LIMIT_MS = 300_000;
/** Interval of progress messages. */
const REPORT_MS = 15_000;
/** Pending elicitations of one account on this instance. */
const MAX_OPEN = 20;

export const CONFIRMATION = z.object({ confirm: z.boolean().describe('Do it') });

const OUTCOMES = ['CONFIRMED', 'DECLINED', 'FAILED', 'CANCELLED', 'UNANSWERED', 'GONE', 'TOO_MANY'] as const;
/**
 * Outcome of an elicitation. FAILED: the client could not ask. CANCELLED: the client cancelled the call. GONE: the
 * client disconnected.
 */
export type ElicitationOutcome = (typeof OUTCOMES)[number];

export interface Question {
  /** Id of the call that the elicitation belongs to. */
  readonly requestId: RequestId;
  /** Of `elicitation/create`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Sends a message in the response to the call. */
  readonly send: (message: JSONRPCMessage) => Promise<void>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly report: Report;
}

export interface ElicitationOptions {
  readonly secrets: Secrets;
  readonly messageBus: MessageBus;
  /** Default five minutes. */
  readonly limitMs?: number;
}

/**
 * Elicitation over protocols before 2026-07-28: the question is sent in the response to the call, the answer arrives in
 * a separate message at any instance, and reaches the waiting one over the message bus (MCP "Elicitation";
 * "Transports", section "Sending Messages to the Server").
 */
export class Elicitation {
  readonly #secrets: Secrets;
  readonly #messageBus: MessageBus;
  readonly #limitMs: number;
  readonly #open = new ConcurrencyLimiter(MAX_OPEN);

  constructor({ secrets, messageBus, limitMs = LIMIT_MS }: ElicitationOptions) {
    this.#secrets = secrets;
    this.#messageBus = messageBus;
    this.#limitMs = limitMs;
  }

  /** Sends the question and waits for the outcome. */
  async ask(session: AgentSession, account: string, question: Question): Promise<ElicitationOutcome> {
    const leave = this.#open.take(account);
    if (!leave) return 'TOO_MANY';
    const startedAt = performance.now();
    const report = () =>
      question.report(
        Math.round((performance.now() - startedAt) / 1000),
        this.#limitMs / 1000,
        'Waiting for the person to confirm.',
      );
    const reporting = setInterval(report, REPORT_MS);
    try {
      return await this.#wait(session, question);
    } finally {
      clearInterval(reporting);
      leave();
    }
  }

  async #wait(session: AgentSession, { requestId, params, send, signal }: Question): Promise<ElicitationOutcome> {
    const id = this.#questionId(session);
    const cancelled = addressOf(session, 'cancelled', requestId);
    await send({ jsonrpc: '2.0', id, method: 'elicitation/create', params });
    const received = await this.#messageBus.receive([addressOf(session, 'answered', id), cancelled], {
      limitMs: this.#limitMs,
      signal,
    });
    if (signal.aborted) return 'GONE';
    if (received) return OUTCOMES.find((outcome) => outcome === received.message) ?? 'FAILED';
    // The client can close its form (MCP "Cancellation").
    await send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'The person did not answer in time.' },
    });
    return 'UNANSWERED';
  }

  /**
   * Handles a message that is an answer or a cancellation; false for all others, which the SDK handles. Throws 400 for
   * answers to unknown elicitations.
   */
  async take(session: AgentSession, message: unknown): Promise<boolean> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      const { id } = message;
      if (id === undefined || !this.#isQuestion(session, id))
        throw new HttpError(400, 'INVALID_INPUT', 'There is no elicitation with this id in this session.', {
          field: 'id',
        });
      await this.#messageBus.post(addressOf(session, 'answered', id), outcomeOf(message));
      return true;
    }
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return false;
    const requestId = message.params?.['requestId'];
    if (typeof requestId === 'string' || typeof requestId === 'number')
      await this.#messageBus.post(addressOf(session, 'cancelled', requestId), 'CANCELLED');
    return true;
  }

  /** Unguessable, and verifiable as belonging to this session. */
  #questionId(session: AgentSession): string {
    const nonce = randomBytes(16).toString('base64url');
    return `${nonce}.${this.#secrets.mac('agent-question', `${nonce}.${session.id}`).toString('base64url')}`;
  }

  #isQuestion(session: AgentSession, id: RequestId): boolean {
    const [nonce = '', mark = ''] = String(id).split('.');
    return signerOf(this.#secrets, 'agent-question', `${nonce}.${session.id}`, mark) !== null;
  }
}

/** Message bus address of the waiting instance; a session id belongs to one account. */
function addressOf(session: AgentSession, what: 'answered' | 'cancelled', id: RequestId): string {
  return createHash('sha256')
    .update(JSON.stringify([what, session.id, id]))
    .digest('base64url');
}

function outcomeOf(message: JSONRPCMessage): ElicitationOutcome {
  // Untrusted; validated by the two functions below.
  const responses = { confirm: isJSONRPCResultResponse(message) ? message.result : undefined } as never;
  if (inputResponse(responses, 'confirm').kind !== 'elicit') return 'FAILED';
  return acceptedContent(responses, 'confirm', CONFIRMATION)?.confirm === true ? 'CONFIRMED' : 'DECLINED';
}
