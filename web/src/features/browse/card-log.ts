/** An event of a card as /api/engagement takes it. */
export interface CardEvent {
  readonly kind: 'IMPRESSION' | 'CLICK';
  readonly contentId: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly occurredAt: string;
  readonly positionMs: 0;
}

interface Options {
  /** Makes a UUID for each visit. */
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What waits while the platform cannot be reached; more is not worth the memory. */
const MAX_WAITING = 500;

/** Which cards a page showed and which of them were followed, each once for a visit. Pure but for the clock and the names of visits. */
export class CardLog {
  readonly #options: Options;
  #visit: string;
  #seq = 0;
  readonly #impressions = new Set<string>();
  readonly #clicks = new Set<string>();
  #events: CardEvent[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#visit = options.newId();
  }

  /** Another page is visited. */
  visit(): void {
    this.#visit = this.#options.newId();
    this.#seq = 0;
    this.#impressions.clear();
    this.#clicks.clear();
  }

  /** A card of the content was seen long enough; answers whether that is news. */
  recordImpression(contentId: string): boolean {
    if (this.#impressions.has(contentId)) return false;
    this.#impressions.add(contentId);
    this.#add('IMPRESSION', contentId);
    return true;
  }

  /** A card was followed; that of one nobody had time to look at is not reported. Answers whether that is news. */
  recordClick(contentId: string): boolean {
    if (!this.#impressions.has(contentId) || this.#clicks.has(contentId)) return false;
    this.#clicks.add(contentId);
    this.#add('CLICK', contentId);
    return true;
  }

  take(limit: number): CardEvent[] {
    return this.#events.splice(0, limit);
  }

  putBack(events: readonly CardEvent[]): void {
    this.#events = [...events, ...this.#events].slice(-MAX_WAITING);
  }

  #add(kind: CardEvent['kind'], contentId: string): void {
    const occurredAt = new Date(this.#options.now()).toISOString();
    this.#events.push({ kind, contentId, sessionId: this.#visit, seq: this.#seq++, occurredAt, positionMs: 0 });
  }
}
