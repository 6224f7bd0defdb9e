/** How long a card must be at least half visible to count as seen. */
export const SEEN_AFTER_MS = 1_000;

interface Card {
  readonly contentId: string;
  inView: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Detects which cards were seen: half visible for a second in a visible page. */
export class CardVisibility<Target extends object> {
  readonly #seen: (contentId: string) => void;
  readonly #cards = new Map<Target, Card>();
  #visible: boolean;

  constructor(seen: (contentId: string) => void, visible: boolean) {
    this.#seen = seen;
    this.#visible = visible;
  }

  add(target: Target, contentId: string): void {
    this.#cards.set(target, { contentId, inView: false, timer: undefined });
  }

  remove(target: Target): void {
    clearTimeout(this.#cards.get(target)?.timer);
    this.#cards.delete(target);
  }

  /** A card entered or left the viewport. */
  inView(target: Target, inView: boolean): void {
    const card = this.#cards.get(target);
    if (!card) return;
    card.inView = inView;
    this.#time(card);
  }

  /** The page became visible or hidden. */
  pageVisible(visible: boolean): void {
    this.#visible = visible;
    for (const card of this.#cards.values()) this.#time(card);
  }

  #time(card: Card): void {
    clearTimeout(card.timer);
    card.timer = this.#visible && card.inView ? setTimeout(() => this.#seen(card.contentId), SEEN_AFTER_MS) : undefined;
  }
}
