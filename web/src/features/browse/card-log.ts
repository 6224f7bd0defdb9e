/** A card event in the format of /api/engagement. */
export interface CardEvent {
  readonly kind: 'IMPRESSION' | 'CLICK';
  readonly contentId: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly occurredAt: string;
  readonly positionMs: 0;
  /** Of an impression: the variant of a test that the card showed. */
  readonly variant?: string;
}

interface Options {
  /** Makes a UUID for each visit. */
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Maximum number of queued events while the server cannot be reached. */
const MAX_WAITING = 500;

/** Records impressions and clicks of cards, each once per visit. Pure, except for the clock and visit ids. */
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

  /** Starts another visit. */
  visit(): void {
    this.#visit = this.#options.newId();
    this.#seq = 0;
    this.#impressions.clear();
    this.#clicks.clear();
  }

  /**
   * Records that the card of a content was seen, with the variant of a test that it showed. Returns whether it is the
   * first time in this visit.
   */
  recordImpression(contentId: string, variant: string | null = null): boolean {
    if (this.#impressions.has(contentId)) return false;
    this.#impressions.add(contentId);
    this.#add('IMPRESSION', contentId, variant);
    return true;
  }

  /** Records a click on a card with an impression. Returns whether it is the first one in this visit. */
  recordClick(contentId: string): boolean {
    if (!this.#impressions.has(contentId) || this.#clicks.has(contentId)) return false;
    this.#clicks.add(contentId);
    this.#add('CLICK', contentId, null);
    return true;
  }

  take(limit: number): CardEvent[] {
    return this.#events.splice(0, limit);
  }

  putBack(events: readonly CardEvent[]): void {
    this.#events = [...events, ...this.#events].slice(-MAX_WAITING);
  }

  #add(kind: CardEvent['kind'], contentId: string, variant: string | null): void {
    const occurredAt = new Date(this.#options.now()).toISOString();
    const event = { kind, contentId, sessionId: this.#visit, seq: this.#seq++, occurredAt, positionMs: 0 } as const;
    this.#events.push(variant === null ? event : { ...event, variant });
  }
}
