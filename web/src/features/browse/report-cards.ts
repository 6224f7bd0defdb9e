import { type RefObject, useEffect } from 'react';
import { shortOf } from '../../lib/did.ts';
import { EventSender, mayReport } from '../../lib/report-events.ts';
import { CardLog } from './card-log.ts';
import { CardWatch } from './card-watch.ts';

/** Events wait so long for others before they are sent. */
const GATHER_MS = 5_000;
const HALF = 0.5;

/** Reports of all cards of the page; made when the first one is shown, and never where the browser asks not to be tracked. */
class CardReporter {
  readonly #log = new CardLog({ newId: () => crypto.randomUUID(), now: () => Date.now() });
  readonly #sender = new EventSender(this.#log);
  readonly #watch = new CardWatch<Element>((id) => this.#gather(this.#log.shown(id)), document.visibilityState !== 'hidden');
  readonly #observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, intersectionRatio } of entries) {
        this.#watch.inView(target, isIntersecting && intersectionRatio >= HALF);
      }
    },
    { threshold: HALF },
  );
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    window.addEventListener('pagehide', () => this.#sender.leave());
    document.addEventListener('visibilitychange', () => {
      const visible = document.visibilityState !== 'hidden';
      this.#watch.pageVisible(visible);
      if (!visible) this.#sender.leave();
    });
  }

  visit(): void {
    this.#log.visit();
  }

  /** Watches the picture of a card; the card around it has the class `group`, as previews know it. Returns what ends it. */
  card(picture: Element, contentId: string): () => void {
    this.#watch.add(picture, contentId);
    this.#observer.observe(picture);
    const closing = new AbortController();
    const follow = ({ target, button }: MouseEvent): void => {
      // 1 is the middle button, which opens a tab. Other links of a card lead elsewhere, to its channel.
      const link = target instanceof Element && button <= 1 ? target.closest('a') : null;
      if (link?.pathname.endsWith(shortOf(contentId))) this.#gather(this.#log.followed(contentId));
    };
    const card = picture.closest<HTMLElement>('.group');
    for (const event of ['click', 'auxclick'] as const) card?.addEventListener(event, follow, { signal: closing.signal, capture: true });
    return () => {
      closing.abort();
      this.#observer.unobserve(picture);
      this.#watch.remove(picture);
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

/** Begins another visit: cards that it shows count anew. */
export function visitPage(): void {
  reporter?.visit();
}

/** Reports the card that this picture belongs to when it is seen and followed, unless `contentId` is null. */
export function useCardReport(picture: RefObject<Element | null>, contentId: string | null): void {
  useEffect(() => {
    if (!picture.current || contentId === null || !mayReport()) return;
    reporter ??= new CardReporter();
    return reporter.card(picture.current, contentId);
  }, [picture, contentId]);
}
