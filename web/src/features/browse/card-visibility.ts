/** How long a card is at least half visible before it was seen. */
export const SEEN_AFTER_MS = 1_000;

interface Card {
  readonly contentId: string;
  inView: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Tells which cards were seen: half visible for a second, in a page that can be seen. Told of visibility by whoever observes it. */
export class CardVisibility<Target extends object> {
  readonly #seen: (contentId: string) => void;
  readonly #cards = new Map<Target, Card>();
  #visible: boolean;

  constructor(seen: (contentId: string) => void, visible: boolean) {
    this.#seen = seen;
    this.#visible = visible;
  }

  add(place: Target, contentId: string): void {
    this.#cards.set(place, { contentId, inView: false, timer: undefined });
  }

  remove(place: Target): void {
    clearTimeout(this.#cards.get(place)?.timer);
    this.#cards.delete(place);
  }

  /** A card came into view, or left it. */
  inView(place: Target, inView: boolean): void {
    const card = this.#cards.get(place);
    if (!card) return;
    card.inView = inView;
    this.#time(card);
  }

  /** The page itself can be seen, or no longer. */
  pageVisible(visible: boolean): void {
    this.#visible = visible;
    for (const card of this.#cards.values()) this.#time(card);
  }

  #time(card: Card): void {
    clearTimeout(card.timer);
    card.timer = this.#visible && card.inView ? setTimeout(() => this.#seen(card.contentId), SEEN_AFTER_MS) : undefined;
  }
}
