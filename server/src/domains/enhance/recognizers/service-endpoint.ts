import { AppError } from '../../../kernel/errors.ts';
import { type Message, phrase, t } from '../../../kernel/languages/message.ts';
import type { FetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import {
  createGuardedExchange,
  type ExchangeResponse,
  type GuardedExchange,
} from '../../../platform/fetch/guarded-exchange.ts';
import type { Logger } from '../../../platform/log.ts';

/** An OpenAI-compatible service, as the operator set it. */
export interface ServiceSettings {
  /** What it does, for messages: `speech`. */
  readonly name: 'speech' | 'translation';
  /** Up to the path of the endpoint, such as `https://api.openai.com/v1`. */
  readonly url: string;
  readonly apiKey: string | undefined;
}

export interface ServiceRequest {
  /** Below the address of the service. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer | string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** An endpoint of a service; returns the text of a successful response, at most 4 MiB. */
export interface ServiceEndpoint {
  post(request: ServiceRequest): Promise<string>;
  close(): Promise<void>;
}

const LONGEST_PAUSE_SECONDS = 3_600;
const PAUSE_SECONDS = 30;
const MOST_LOGGED = 500;

/**
 * Opens a service. Requests go to its address only, which may be private because the operator set it. Users get
 * messages without details; those are in the log, without the key.
 */
export function openService(settings: ServiceSettings, log: Pick<Logger, 'error' | 'warn'>): ServiceEndpoint {
  const { exchange, close } = createGuardedExchange({ allow: onlyHost(settings.url), slow: true });
  return { post: (request) => post({ settings, log, exchange }, request), close };
}

function onlyHost(url: string): FetchAllow {
  const { hostname, port, protocol } = new URL(url);
  const ownPort = Number(port || (protocol === 'https:' ? 443 : 80));
  return (host, requested) => host === hostname && requested === ownPort;
}

interface Tools {
  readonly settings: ServiceSettings;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly exchange: GuardedExchange;
}

async function post({ settings, log, exchange }: Tools, request: ServiceRequest): Promise<string> {
  const { name, url, apiKey } = settings;
  const { path, contentType, body, timeoutMs, signal } = request;
  const headers = { 'content-type': contentType, ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) };
  const response = await exchange({
    ...{ method: 'POST', url: `${url.replace(/(?<!\/)\/+$/, '')}${path}`, headers, body, timeoutMs, signal },
  }).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    log.warn({ error, service: name }, 'a service that the operator set could not be reached');
    throw unavailable(name, error);
  });
  if (response.status === 200) return response.text;
  const answer = redacted(response.text, apiKey).slice(0, MOST_LOGGED);
  const facts = { service: name, status: response.status, answer };
  if (isBusy(response)) {
    log.warn(facts, 'a service that the operator set is busy');
    throw busy(name, response);
  }
  if (response.status >= 500 || response.status === 408) {
    log.warn(facts, 'a service that the operator set has an error');
    throw unavailable(name);
  }
  log.error(facts, `a service that the operator set refuses requests: check the ${name.toUpperCase()}_ settings`);
  throw refusing(name);
}

/** OpenAI uses the same status when the quota of the operator's account is used up, which waiting does not help. */
function isBusy({ status, text }: ExchangeResponse): boolean {
  return status === 429 && !text.includes('insufficient_quota');
}

function redacted(text: string, apiKey: string | undefined): string {
  return apiKey ? text.replaceAll(apiKey, '[redacted]') : text;
}

type ServiceName = ServiceSettings['name'];

/** As sentences name them. */
const SERVICES: Readonly<Record<ServiceName, Message>> = {
  speech: phrase`speech`,
  translation: phrase`translation`,
};

function busy(name: ServiceName, { headers }: ExchangeResponse): AppError {
  const asked = Number(headers['retry-after']);
  return new AppError('RATE_LIMIT_EXCEEDED', t`The ${SERVICES[name]} service of this server is busy.`, {
    retryAfterSeconds: Number.isFinite(asked) && asked > 0 ? Math.min(asked, LONGEST_PAUSE_SECONDS) : PAUSE_SECONDS,
  });
}

/** The error of a service that cannot be reached or does not work at the moment. Retryable. */
function unavailable(name: ServiceName, cause?: unknown): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    t`The ${SERVICES[name]} service of this server does not answer at the moment.`,
    {
      suggestedFix: t`Try again later; if it stays so, ask the operator of this server.`,
      retryAfterSeconds: PAUSE_SECONDS,
      cause,
    },
  );
}

/** The error of a service that refuses what this server sends. */
function refusing(name: ServiceName): AppError {
  return new AppError('TRANSCODE_FAILED', t`The ${SERVICES[name]} service of this server refused the request.`, {
    suggestedFix: t`Ask the operator of this server, whose log has the reason.`,
  });
}

/** The error of a service whose answer is not what its documentation describes. Retryable. */
export function unusable(name: ServiceName, cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', t`The ${SERVICES[name]} service of this server gave an unusable answer.`, {
    suggestedFix: t`Try again later; if it stays so, ask the operator of this server.`,
    cause,
  });
}
