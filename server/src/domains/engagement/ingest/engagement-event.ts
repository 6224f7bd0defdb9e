import { type DidKind, parseDid } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { parseInstant } from './instant.ts';
import { isTrafficSource, TRAFFIC_SOURCES } from './traffic-sources.ts';

/** All event types of players and cards, with descriptions. */
export const ENGAGEMENT_KINDS = {
  START: 'Playback started; startupMs is the time until the first frame, source where the viewer came from.',
  HEARTBEAT: 'Playback continues; ranges are those played since the previous event.',
  QUARTILE: 'A quarter of the content was reached: quartile 1, 2 or 3.',
  PAUSE: 'Playback was paused.',
  SEEK: 'The viewer seeked to positionMs.',
  REBUFFER: 'Playback was interrupted to load; rebufferMs is the duration.',
  QUALITY_CHANGE: 'The quality changed; see quality.',
  ERROR: 'Playback failed; see errorCode.',
  COMPLETE: 'Playback reached the end.',
  IMPRESSION:
    "At least half of the card's image was visible for a second or longer. " +
    'sessionId is the page visit; it counts once per content and visit.',
  CLICK: 'The card was followed. It counts once per content and visit, if the same visit reports the impression too.',
} as const satisfies Record<string, string>;

export type EngagementKind = keyof typeof ENGAGEMENT_KINDS;

/** Whether it is a card event rather than a playback event. */
export function isOfCard(kind: EngagementKind): boolean {
  return kind === 'IMPRESSION' || kind === 'CLICK';
}

/** One parsed event, not yet validated. Positions are milliseconds of the content. */
export interface EngagementEvent {
  readonly kind: EngagementKind;
  /** UUID. */
  readonly contentId: string;
  /** UUID of a playback, created by the player; for cards, of a page visit. */
  readonly sessionId: string;
  /** Number of the event in its session, from 0. */
  readonly seq: number;
  readonly occurredAtMs: number;
  readonly positionMs: number;
  /** Ranges played since the previous event: from, to, from, to, … */
  readonly ranges: readonly number[];
  /** startupMs of START, rebufferMs of REBUFFER. */
  readonly valueMs: number | null;
  /** quartile, quality, errorCode or source; of an impression the UUID of the variant that the card showed. */
  readonly detail: string | null;
}

export const MAX_RANGES = 50;
const MAX_INT = 2_147_483_647;
const NO_RANGES: readonly number[] = [];
const LABEL = /^[\w .:+/-]{1,64}$/;

/** Location of an event in a request; the path is built only for errors. */
export interface EventPath {
  /** Path of the list, such as `input.events`. */
  readonly list: string;
  readonly index: number;
}

/** Path of a field of the event, such as `events[3].seq`. */
export function pathOf({ list, index }: EventPath, name: string): string {
  return `${list}[${index}].${name}`;
}

/** Cache of parsed identifiers: the events of a request share few contents and sessions. */
let lastDid: unknown = null;
let lastNamespace = '';
let lastContentId = '';
let lastSessionId: string | null = null;

/** Parses one event from GraphQL or JSON. Throws FIELD_REQUIRED or INVALID_INPUT with the path of the field. */
export function readEngagementEvent(raw: unknown, namespace: string, at: EventPath): EngagementEvent {
  if (!isObject(raw)) throw noObject(`${at.list}[${at.index}]`);
  const kind = raw.kind;
  if (typeof kind !== 'string' || !isKind(kind)) {
    throw bad(
      pathOf(at, 'kind'),
      t`This is not an event type.`,
      t`Use one of ${Object.keys(ENGAGEMENT_KINDS).join(', ')}.`,
    );
  }
  return {
    kind,
    contentId: readContentId(raw.contentId, namespace, at),
    sessionId: readSessionId(raw.sessionId, at),
    seq: readCount(raw.seq, at, 'seq'),
    occurredAtMs: readInstant(raw.occurredAt, at),
    positionMs: readCount(raw.positionMs, at, 'positionMs'),
    ranges: readRanges(raw.ranges, kind, at),
    valueMs: readValue(raw, kind, at),
    detail: kind === 'IMPRESSION' ? readVariant(raw.variant, namespace, at) : readDetail(raw, kind, at),
  };
}

function isKind(kind: string): kind is EngagementKind {
  return Object.hasOwn(ENGAGEMENT_KINDS, kind);
}

function isObject(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

function noObject(field: string): AppError {
  return bad(
    field,
    t`An event must be an object.`,
    t`Send an object with kind, contentId, sessionId, seq, occurredAt and positionMs.`,
  );
}

function readContentId(value: unknown, namespace: string, at: EventPath): string {
  if (value != null && value === lastDid && namespace === lastNamespace) return lastContentId;
  if (value == null) throw missing(pathOf(at, 'contentId'));
  const parsed = typeof value === 'string' ? parseDid(namespace, value) : null;
  const kinds: readonly DidKind[] = CONTENT_DID_KINDS;
  if (parsed && kinds.includes(parsed.kind)) {
    lastDid = value;
    lastNamespace = namespace;
    lastContentId = parsed.id;
    return parsed.id;
  }
  const suggestedFix = t`Send an identifier of the form did:${namespace}:content/<kind>/<id>.`;
  throw bad(pathOf(at, 'contentId'), t`This is not the identifier of a content.`, suggestedFix);
}

function readSessionId(value: unknown, at: EventPath): string {
  if (value == null) throw missing(pathOf(at, 'sessionId'));
  // Returns the same string object, whose hash is already computed for map lookups.
  if (value === lastSessionId) return lastSessionId;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (isUuid(text)) {
    lastSessionId = text;
    return text;
  }
  throw bad(
    pathOf(at, 'sessionId'),
    t`sessionId must be a UUID.`,
    t`Generate one UUID for each playback, for example with crypto.randomUUID().`,
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INT;
}

function readCount(value: unknown, at: EventPath, name: string): number {
  if (isCount(value)) return value;
  throw noCount(value, pathOf(at, name));
}

function noCount(value: unknown, field: string): AppError {
  if (value == null) return missing(field);
  return bad(
    field,
    t`This is not a whole number from 0 to 2147483647.`,
    t`Send whole, non-negative milliseconds or numbers.`,
  );
}

function readInstant(value: unknown, at: EventPath): number {
  if (value == null) throw missing(pathOf(at, 'occurredAt'));
  const ms = typeof value === 'string' ? parseInstant(value) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  const suggestedFix = t`Send an ISO 8601 instant with a time zone, such as new Date().toISOString().`;
  throw bad(pathOf(at, 'occurredAt'), t`This is not an instant.`, suggestedFix);
}

function readRanges(value: unknown, kind: EngagementKind, at: EventPath): readonly number[] {
  if (value == null || (Array.isArray(value) && value.length === 0)) {
    if (kind === 'HEARTBEAT') throw missing(pathOf(at, 'ranges'));
    return NO_RANGES;
  }
  if (!Array.isArray(value) || value.length > MAX_RANGES) {
    throw bad(
      pathOf(at, 'ranges'),
      t`ranges must be a list of at most ${MAX_RANGES}.`,
      t`Send events more often, with fewer ranges each.`,
    );
  }
  const ends: number[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const range: unknown = value[index];
    if (!isObject(range)) throw noObject(`${pathOf(at, 'ranges')}[${index}]`);
    const { startMs, endMs } = range;
    if (!isCount(startMs)) throw noCount(startMs, `${pathOf(at, 'ranges')}[${index}].startMs`);
    if (!isCount(endMs)) throw noCount(endMs, `${pathOf(at, 'ranges')}[${index}].endMs`);
    ends.push(startMs, endMs);
  }
  return ends;
}

function readValue(fields: Readonly<Record<string, unknown>>, kind: EngagementKind, at: EventPath): number | null {
  if (kind === 'START') return fields.startupMs == null ? null : readCount(fields.startupMs, at, 'startupMs');
  if (kind === 'REBUFFER') return readCount(fields.rebufferMs, at, 'rebufferMs');
  return null;
}

function readVariant(value: unknown, namespace: string, at: EventPath): string | null {
  if (value == null) return null;
  const parsed = typeof value === 'string' ? parseDid(namespace, value) : null;
  if (parsed?.kind === 'contentTestVariant') return parsed.id;
  throw bad(pathOf(at, 'variant'), t`This is not the identifier of a variant.`, t`Send card.variant of the content.`);
}

function readDetail(fields: Readonly<Record<string, unknown>>, kind: EngagementKind, at: EventPath): string | null {
  if (kind === 'QUARTILE') {
    if (fields.quartile == null) throw missing(pathOf(at, 'quartile'));
    if (fields.quartile === 1 || fields.quartile === 2 || fields.quartile === 3) return String(fields.quartile);
    throw bad(pathOf(at, 'quartile'), t`quartile must be 1, 2 or 3.`, t`Send COMPLETE for the end.`);
  }
  if (kind === 'START') return readSource(fields.source, at);
  if (kind === 'QUALITY_CHANGE') return readLabel(fields.quality, at, 'quality');
  if (kind === 'ERROR') return readLabel(fields.errorCode, at, 'errorCode');
  return null;
}

function readSource(value: unknown, at: EventPath): string | null {
  if (value == null) return null;
  if (isTrafficSource(value)) return value;
  const suggestedFix = t`Use one of ${Object.keys(TRAFFIC_SOURCES).join(', ')}.`;
  throw bad(pathOf(at, 'source'), t`This is not a traffic source.`, suggestedFix);
}

function readLabel(value: unknown, at: EventPath, name: string): string {
  if (value == null) throw missing(pathOf(at, name));
  if (typeof value === 'string' && LABEL.test(value)) return value;
  throw bad(pathOf(at, name), t`This is not a short label.`, t`Send 1 to 64 letters, digits, spaces and . : + / - _.`);
}

function missing(field: string): AppError {
  return new AppError('FIELD_REQUIRED', t`This event type requires the field.`, {
    field,
    suggestedFix: t`Send ${field}.`,
  });
}

function bad(field: string, message: Text, suggestedFix: Text): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix });
}
