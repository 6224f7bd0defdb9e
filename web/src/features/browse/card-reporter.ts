import { type RefObject, useEffect } from 'react';
import { didSuffix } from '../../lib/did.ts';
import { EventSender, mayReport } from '../../lib/report-events.ts';
import { CardLog } from './card-log.ts';
import { CardVisibility } from './card-visibility.ts';

/** How long events are collected before they are sent. */
const GATHER_MS = 5_000;
const HALF = 0.5;

interface ReportedCard {
  readonly id: string;
  readonly shortCode: string;
  readonly variant: string | null;
}

/** Reports the cards of the page. Created with the first card, and never when the browser opts out of tracking. */
class CardReporter {
  /** The variants of tests that cards show, by content. */
  readonly #variants = new Map<string, string>();
  readonly #log = new CardLog({ newId: () => crypto.randomUUID(), now: () => Date.now() });
  readonly #sender = new EventSender(this.#log);
  readonly #visibility = new CardVisibility<Element>(
    (id) => this.#gather(this.#log.recordImpression(id, this.#variants.get(id))),
    document.visibilityState !== 'hidden',
  );
  readonly #observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, intersectionRatio } of entries) {
        this.#visibility.inView(target, isIntersecting && intersectionRatio >= HALF);
      }
    },
    { threshold: HALF },
  );
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    window.addEventListener('pagehide', () => this.#sender.leave());
    document.addEventListener('visibilitychange', () => {
      const visible = document.visibilityState !== 'hidden';
      this.#visibility.pageVisible(visible);
      if (!visible) this.#sender.leave();
    });
  }

  visit(): void {
    this.#log.visit();
  }

  /**
   * Observes the image of a card, which is the closest element with the class `group`. Returns a function that stops
   * it.
   */
  card(image: Element, { id: contentId, shortCode, variant }: ReportedCard): () => void {
    // Videos have their code in their address, series their id.
    const ends = [shortCode, didSuffix(contentId)];
    if (variant === null) this.#variants.delete(contentId);
    else this.#variants.set(contentId, variant);
    this.#visibility.add(image, contentId);
    this.#observer.observe(image);
    const closing = new AbortController();
    const follow = ({ target, button }: MouseEvent): void => {
      // 1 is the middle button, which opens a tab. Other links of the card lead to its channel.
      const link = target instanceof Element && button <= 1 ? target.closest('a') : null;
      if (link && ends.some((end) => link.pathname.endsWith(`/${end}`))) this.#gather(this.#log.recordClick(contentId));
    };
    const card = image.closest<HTMLElement>('.group');
    for (const event of ['click', 'auxclick'] as const)
      card?.addEventListener(event, follow, { signal: closing.signal, capture: true });
    return () => {
      closing.abort();
      this.#observer.unobserve(image);
      this.#visibility.remove(image);
    };
  }

  #gather(isNews: boolean): void {
    if (!isNews || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#sender.send();
    }, GATHER_MS);
  }
}

let reporter: CardReporter | null = null;

/** Starts another visit: each card counts again. */
export function startVisit(): void {
  reporter?.visit();
}

interface ReportedContent {
  readonly id: string;
  readonly shortCode: string;
  readonly card: { readonly variant: string | null };
}

/** Reports impressions and clicks of the card of a content around this image, unless the content is null. */
export function useCardReport(image: RefObject<Element | null>, content: ReportedContent | null): void {
  const id = content?.id ?? null;
  const shortCode = content?.shortCode ?? '';
  const variant = content?.card.variant ?? null;
  useEffect(() => {
    if (!image.current || id === null || !mayReport()) return;
    reporter ??= new CardReporter();
    return reporter.card(image.current, { id, shortCode, variant });
  }, [image, id, shortCode, variant]);
}
