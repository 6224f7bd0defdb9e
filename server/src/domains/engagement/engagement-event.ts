import { type DidKind, parseDid } from '../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../kernel/content-kinds.ts';
import { AppError } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';

/** What a player can report, once: names and meaning. */
export const ENGAGEMENT_KINDS = {
  START: 'Playback began; with startupMs, how long it took until the first picture.',
  HEARTBEAT: 'Playback goes on; ranges says what was played since the event before.',
  QUARTILE: 'A quarter of the content was reached: quartile 1, 2 or 3.',
  PAUSE: 'Playback was paused.',
  SEEK: 'The viewer jumped to positionMs.',
  REBUFFER: 'Playback stood still to load; rebufferMs says how long.',
  QUALITY_CHANGE: 'Another quality is played; quality names it.',
  ERROR: 'Playback failed; errorCode says why.',
  COMPLETE: 'The end was reached.',
} as const satisfies Record<string, string>;

export type EngagementKind = keyof typeof ENGAGEMENT_KINDS;

/** One report of a player, well formed but not yet judged. Positions are milliseconds of the content. */
export interface EngagementEvent {
  readonly kind: EngagementKind;
  /** UUID. */
  readonly contentId: string;
  /** UUID of one playback, made by the player. */
  readonly sessionId: string;
  /** Number of the event in its session, from 0. */
  readonly seq: number;
  readonly occurredAtMs: number;
  readonly positionMs: number;
  /** What was played since the event before: from, to, from, to, … */
  readonly ranges: readonly number[];
  /** startupMs of START, rebufferMs of REBUFFER. */
  readonly valueMs: number | null;
  /** quartile, quality or errorCode. */
  readonly detail: string | null;
}

export const MAX_RANGES = 50;
const MAX_INT = 2_147_483_647;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;
const LABEL = /^[\w .:+/-]{1,64}$/;

/** Identifiers that were read a moment ago: the events of a request are about few contents and sessions. */
let lastDid: unknown = null;
let lastNamespace = '';
let lastContentId = '';
let lastSessionId: unknown = null;

/**
 * Reads one event as it came, from GraphQL or as JSON. Throws FIELD_REQUIRED or INVALID_INPUT whose field is below `at`
 * (such as `events[3]`).
 */
export function readEngagementEvent(raw: unknown, namespace: string, at: string): EngagementEvent {
  const fields = asObject(raw, at);
  const kind = fields.kind;
  if (typeof kind !== 'string' || !isKind(kind)) {
    throw bad(`${at}.kind`, 'This is no kind of event.', `Use one of ${Object.keys(ENGAGEMENT_KINDS).join(', ')}.`);
  }
  return {
    kind,
    contentId: readContentId(fields.contentId, namespace, `${at}.contentId`),
    sessionId: readSessionId(fields.sessionId, `${at}.sessionId`),
    seq: readCount(fields.seq, `${at}.seq`),
    occurredAtMs: readInstant(fields.occurredAt, `${at}.occurredAt`),
    positionMs: readCount(fields.positionMs, `${at}.positionMs`),
    ranges: readRanges(fields.ranges, kind, `${at}.ranges`),
    valueMs: readValue(fields, kind, at),
    detail: readDetail(fields, kind, at),
  };
}

function isKind(kind: string): kind is EngagementKind {
  return Object.hasOwn(ENGAGEMENT_KINDS, kind);
}

function asObject(raw: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return raw as Record<string, unknown>; // checked just now
  throw bad(field, 'An event is an object.', 'Send an object with kind, contentId, sessionId, seq, occurredAt and positionMs.');
}

function readContentId(value: unknown, namespace: string, field: string): string {
  if (value !== null && value === lastDid && namespace === lastNamespace) return lastContentId;
  if (value == null) throw missing(field);
  const parsed = typeof value === 'string' ? parseDid(namespace, value) : null;
  const kinds: readonly DidKind[] = CONTENT_DID_KINDS;
  if (parsed && kinds.includes(parsed.kind)) {
    [lastDid, lastNamespace, lastContentId] = [value, namespace, parsed.id];
    return parsed.id;
  }
  throw bad(field, 'This is not the identifier of a content.', `Send an identifier of the form did:${namespace}:content/<kind>/<id>.`);
}

function readSessionId(value: unknown, field: string): string {
  if (typeof value === 'string' && value === lastSessionId) return value;
  if (value == null) throw missing(field);
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (isUuid(text)) {
    lastSessionId = text;
    return text;
  }
  throw bad(field, 'A sessionId is a UUID.', 'Make one UUID for each playback, for example with crypto.randomUUID().');
}

function readCount(value: unknown, field: string): number {
  if (value == null) throw missing(field);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INT) return value;
  throw bad(field, 'This is not a whole number from 0 to 2147483647.', 'Send whole, non-negative milliseconds or numbers.');
}

function readInstant(value: unknown, field: string): number {
  if (value == null) throw missing(field);
  const ms = typeof value === 'string' && INSTANT.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw bad(field, 'This is not an instant.', 'Send an ISO 8601 instant with a time zone, such as new Date().toISOString().');
}

function readRanges(value: unknown, kind: EngagementKind, field: string): number[] {
  if (value == null || (Array.isArray(value) && value.length === 0)) {
    if (kind === 'HEARTBEAT') throw missing(field);
    return [];
  }
  if (!Array.isArray(value) || value.length > MAX_RANGES) {
    throw bad(field, `Ranges are a list of at most ${MAX_RANGES}.`, 'Report more often, so that fewer ranges gather.');
  }
  const ends: number[] = [];
  value.forEach((range: unknown, index) => {
    const { startMs, endMs } = asObject(range, `${field}[${index}]`);
    ends.push(readCount(startMs, `${field}[${index}].startMs`), readCount(endMs, `${field}[${index}].endMs`));
  });
  return ends;
}

function readValue(fields: Readonly<Record<string, unknown>>, kind: EngagementKind, at: string): number | null {
  if (kind === 'START') return fields.startupMs == null ? null : readCount(fields.startupMs, `${at}.startupMs`);
  if (kind === 'REBUFFER') return readCount(fields.rebufferMs, `${at}.rebufferMs`);
  return null;
}

function readDetail(fields: Readonly<Record<string, unknown>>, kind: EngagementKind, at: string): string | null {
  if (kind === 'QUARTILE') {
    if (fields.quartile == null) throw missing(`${at}.quartile`);
    if (fields.quartile === 1 || fields.quartile === 2 || fields.quartile === 3) return String(fields.quartile);
    throw bad(`${at}.quartile`, 'A quartile is 1, 2 or 3.', 'Report the end with COMPLETE.');
  }
  if (kind === 'QUALITY_CHANGE') return readLabel(fields.quality, `${at}.quality`);
  if (kind === 'ERROR') return readLabel(fields.errorCode, `${at}.errorCode`);
  return null;
}

function readLabel(value: unknown, field: string): string {
  if (value == null) throw missing(field);
  if (typeof value === 'string' && LABEL.test(value)) return value;
  throw bad(field, 'This is not a short label.', 'Send 1 to 64 letters, digits, spaces and . : + / - _.');
}

function missing(field: string): AppError {
  return new AppError('FIELD_REQUIRED', 'This kind of event needs the field.', { field, suggestedFix: `Send ${field}.` });
}

function bad(field: string, message: string, suggestedFix: string): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix });
}
