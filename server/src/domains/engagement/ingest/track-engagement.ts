import { ANONYMOUS_SCOPE, type Client, type Viewer, type ViewerScope } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { assignedVariants } from '../content-tests/content-tests.store.ts';
import { clientFactsOf } from '../viewers/client-details.ts';
import { countryOf } from '../viewers/country.ts';
import { RecentMap } from '../viewers/recent-map.ts';
import type { ViewerIdentity } from '../viewers/viewer-identity.ts';
import type { Viewing, WatchedContent, Watcher } from '../viewing.ts';
import { checkEvent } from './accept-event.policy.ts';
import { CardLimit } from './card-limit.ts';
import { type EngagementEvent, isOfCard, readEngagementEvent } from './engagement-event.ts';
import { EventWriter } from './event-writer.ts';
import { NO_FACTS, readTrackingFacts, type TrackingFacts, type TrackingPreferences } from './watch-events.store.ts';

/** Events of one request. */
export const MAX_EVENTS = 100;
/** How long the public visibility of a content is cached. */
const KNOWN_FOR_MS = 5_000;
const MAX_CONTENTS = 10_000;
const MAX_SESSIONS = 50_000;

/** The sender of events. */
export interface Reporter {
  readonly client: Client;
  readonly accountId: string | null;
  readonly scope: ViewerScope;
  /** Whether it is a program with an API key or a token, whose User-Agent does not describe the viewer. */
  readonly byKey: boolean;
}

/** The sender of events and the authenticated viewer. */
export function reporterOf(client: Client, viewer: Viewer | null | undefined): Reporter {
  return {
    client,
    accountId: viewer?.accountId ?? null,
    scope: viewer?.scope ?? ANONYMOUS_SCOPE,
    byKey: viewer != null && viewer.credential !== 'session',
  };
}

/** Result of one event, in the order of the request. */
export interface TrackResult {
  readonly sessionId: string | null;
  readonly seq: number | null;
  readonly error: AppError | null;
}

export interface TrackOutcome {
  /** False where the viewer opted out of tracking, or is a robot: events were validated and discarded. */
  readonly tracked: boolean;
  readonly results: readonly TrackResult[];
}

interface Known {
  readonly content: WatchedContent;
  readonly atMs: number;
}

/** Consecutive accepted events of one session and content. */
interface Accepted {
  readonly sessionId: string;
  readonly content: WatchedContent;
  /** Whether they are card events. */
  readonly cards: boolean;
  readonly events: EngagementEvent[];
}

/** The latest event of a session. */
interface Latest {
  seq: number;
  atMs: number;
}

/** Ingests playback events: parses, validates and appends them. */
export class EngagementTracker {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'config'>;
  readonly #writer: EventWriter;
  readonly #identity: ViewerIdentity;
  /** Cache of publicly visible contents. */
  readonly #known = new RecentMap<string, Known>(MAX_CONTENTS);
  /** The latest event of each session on this instance. */
  readonly #latest = new RecentMap<string, Latest>(MAX_SESSIONS);
  readonly #cards = new CardLimit();

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'config'>, identity: ViewerIdentity) {
    this.#platform = platform;
    this.#writer = new EventWriter(platform.db);
    this.#identity = identity;
  }

  /**
   * Each event is accepted or rejected separately; the accepted ones are committed when this resolves. `field` is the
   * path of the list in the request. Throws INVALID_INPUT for no events or more than 100.
   */
  async track(raw: readonly unknown[], reporter: Reporter, field: string): Promise<TrackOutcome> {
    if (raw.length === 0 || raw.length > MAX_EVENTS) {
      throw new AppError('INVALID_INPUT', t`A request must have 1 to ${MAX_EVENTS} events, not ${raw.length}.`, {
        field,
        suggestedFix: t`Send at most ${MAX_EVENTS} events at a time.`,
      });
    }
    const nowMs = this.#platform.clock.now();
    const read = readAll(raw, this.#platform.config.DID_NAMESPACE, field);
    const { contents, facts } = await this.#facts(read, reporter, nowMs);
    const { accepted, results } = this.#checkAll(read, contents, nowMs, field);
    const tracked = mayTrack(reporter, facts.preferences);
    if (tracked && accepted.length > 0) await this.#append(accepted, reporter, facts, nowMs);
    return { tracked, results };
  }

  /** Flushes pending events. */
  close(): Promise<void> {
    return this.#writer.close();
  }

  async #facts(
    read: readonly (EngagementEvent | AppError)[],
    { accountId, scope }: Pick<Reporter, 'accountId' | 'scope'>,
    nowMs: number,
  ): Promise<{ contents: ReadonlyMap<string, WatchedContent>; facts: TrackingFacts }> {
    const contents = new Map<string, WatchedContent>();
    const unknown = new Set<string>();
    let last = '';
    let cards = false;
    for (const item of read) {
      if (item instanceof AppError) continue;
      cards ||= isOfCard(item.kind);
      if (item.contentId === last) continue;
      last = item.contentId;
      const known = this.#known.get(last);
      if (known && known.atMs > nowMs - KNOWN_FOR_MS) contents.set(last, known.content);
      else unknown.add(last);
    }
    if (unknown.size === 0 && accountId === null) return { contents, facts: NO_FACTS };
    const facts = await readTrackingFacts(this.#platform.db, { contentIds: [...unknown], scope, accountId, cards });
    for (const content of facts.contents) {
      contents.set(content.id, content);
      if (content.open) this.#known.set(content.id, { content, atMs: nowMs });
    }
    return { contents, facts };
  }

  /** Validates each event against its content and the previous event of its session. */
  #checkAll(
    read: readonly (EngagementEvent | AppError)[],
    contents: ReadonlyMap<string, WatchedContent>,
    nowMs: number,
    list: string,
  ): { accepted: readonly Accepted[]; results: readonly TrackResult[] } {
    const accepted: Accepted[] = [];
    const latest = new Map<string, Latest>();
    const results = read.map((item, index): TrackResult => {
      if (item instanceof AppError) return { sessionId: null, seq: null, error: item };
      const content = contents.get(item.contentId) ?? null;
      const before = latest.get(item.sessionId) ?? this.#latest.get(item.sessionId);
      const error = checkEvent(item, { content, previousAtMs: previousAt(item, before) }, nowMs, { list, index });
      if (!error && content) {
        // Cards need no previous event.
        if (!isOfCard(item.kind)) remember(latest, item);
        accept(accepted, item, content);
      }
      return { sessionId: item.sessionId, seq: item.seq, error };
    });
    for (const [sessionId, event] of latest) this.#latest.set(sessionId, event);
    return { accepted, results };
  }

  async #append(
    accepted: readonly Accepted[],
    { client, accountId }: Reporter,
    facts: TrackingFacts,
    nowMs: number,
  ): Promise<void> {
    const { preferences, ownChannels } = facts;
    const { device, os, browser } = clientFactsOf(client.userAgent);
    const watcher: Watcher = {
      viewer:
        accountId === null
          ? await this.#identity.ofBrowser(client.address, client.userAgent, nowMs)
          : this.#identity.ofAccount(accountId),
      accountId: preferences.keepHistory ? accountId : null,
      country: countryOf(client.address),
      device,
      os,
      browser,
    };
    const viewings = accepted.map(({ cards, ...viewing }) => {
      const seen = { ...viewing, watcher };
      return cards ? this.#cards.counted(seen, ownChannels, nowMs) : seen;
    });
    const counted = viewings.filter((viewing) => viewing !== null);
    await this.#writer.append(await this.#ofTests(counted, accountId ?? watcher.viewer));
  }

  /** Removes the variants of impressions that `viewer` does not get, or whose test does not run. */
  async #ofTests(viewings: readonly Viewing[], viewer: string): Promise<readonly Viewing[]> {
    const variants = viewings.flatMap(({ events }) => events.flatMap((event) => variantOf(event) ?? []));
    if (variants.length === 0) return viewings;
    const assigned = await assignedVariants(this.#platform.db, variants, viewer);
    return viewings.map((viewing) => ({
      ...viewing,
      events: viewing.events.map((event) => {
        const variant = variantOf(event);
        return variant === null || assigned.get(variant) === viewing.content.id ? event : { ...event, detail: null };
      }),
    }));
  }
}

/** The variant that the card of an impression showed. */
function variantOf({ kind, detail }: EngagementEvent): string | null {
  return kind === 'IMPRESSION' ? detail : null;
}

function readAll(raw: readonly unknown[], namespace: string, list: string): (EngagementEvent | AppError)[] {
  return raw.map((event, index) => {
    try {
      return readEngagementEvent(event, namespace, { list, index });
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
}

/** Groups an event with the previous ones of the same session and content, cards apart from playback. */
function accept(accepted: Accepted[], event: EngagementEvent, content: WatchedContent): void {
  const last = accepted.at(-1);
  const cards = isOfCard(event.kind);
  if (last && last.sessionId === event.sessionId && last.content === content && last.cards === cards)
    last.events.push(event);
  else accepted.push({ sessionId: event.sessionId, content, cards, events: [event] });
}

function previousAt({ seq }: EngagementEvent, latest: Latest | undefined): number | null {
  return latest && latest.seq < seq ? latest.atMs : null;
}

function remember(latest: Map<string, Latest>, { sessionId, seq, occurredAtMs }: EngagementEvent): void {
  const known = latest.get(sessionId);
  if (!known) latest.set(sessionId, { seq, atMs: occurredAtMs });
  else if (known.seq < seq) {
    known.seq = seq;
    known.atMs = occurredAtMs;
  }
}

/** Do Not Track, Global Privacy Control, the account's own setting, and programs that identify as robots. */
function mayTrack({ client, byKey }: Reporter, preferences: TrackingPreferences): boolean {
  return !client.doNotTrack && !preferences.doNotTrack && (byKey || !clientFactsOf(client.userAgent).bot);
}
