/** Where pages report what is played and shown; the platform judges it. */
const ADDRESS = '/api/engagement';
/** Events of one request. */
const MAX_EVENTS = 100;
/** Bytes that a browser sends for a page that is gone; Fetch allows 64 KiB for all such requests together. */
const MAX_KEPT_ALIVE = 30_000;

/** Whether the browser asks not to be tracked; then nothing is reported. */
export function hasTrackingOptOut(browser: { doNotTrack?: string | null; globalPrivacyControl?: boolean }): boolean {
  return browser.doNotTrack === '1' || browser.globalPrivacyControl === true;
}

/** Whether this page reports anything: crypto.randomUUID exists on secure origins only, elsewhere nothing is reported. */
export function mayReport(): boolean {
  return !hasTrackingOptOut(navigator) && 'randomUUID' in crypto;
}

/** What waits to be reported. */
export interface EventLog<Event> {
  /** Takes out what is to be sent, at most `limit` events. */
  take(limit: number): Event[];
  /** Puts back what could not be sent. */
  putBack(events: readonly Event[]): void;
}

/** Sends what a log gathers. */
export class EventSender<Event> {
  readonly #log: EventLog<Event>;
  #sending = false;
  /** The platform said that it keeps nothing of this viewer. */
  #trackingDisabled = false;

  constructor(log: EventLog<Event>) {
    this.#log = log;
  }

  async send(): Promise<void> {
    if (this.#sending || this.#trackingDisabled) return;
    const events = this.#log.take(MAX_EVENTS);
    if (events.length === 0) return;
    this.#sending = true;
    try {
      const body = JSON.stringify({ events });
      // Without keepalive, a page that is left while this is under way would take the report with it.
      const keepalive = body.length <= MAX_KEPT_ALIVE;
      const response = await fetch(ADDRESS, { method: 'POST', body, keepalive, headers: { 'content-type': 'application/json' } });
      if (response.status === 429 || response.status >= 500) this.#log.putBack(events);
      else if (response.ok) this.#trackingDisabled = ((await response.json()) as { tracked?: boolean }).tracked === false;
    } catch {
      this.#log.putBack(events);
    } finally {
      this.#sending = false;
    }
  }

  /** The page may be gone in a moment: the browser delivers what it takes now. */
  leave(): void {
    if (this.#trackingDisabled) return;
    const events = this.#log.take(MAX_EVENTS);
    if (events.length > 0 && !navigator.sendBeacon(ADDRESS, JSON.stringify({ events }))) this.#log.putBack(events);
  }
}
