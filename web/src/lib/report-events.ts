/** Endpoint for playback and card events. */
const ADDRESS = '/api/engagement';
/** Maximum number of events per request. */
const MAX_EVENTS = 100;
/** Maximum size of a keepalive request; Fetch allows 64 KiB for all of them together. */
const MAX_KEPT_ALIVE = 30_000;

/** Whether the browser sends Do Not Track or Global Privacy Control; then nothing is reported. */
export function hasTrackingOptOut(browser: { doNotTrack?: string | null; globalPrivacyControl?: boolean }): boolean {
  return browser.doNotTrack === '1' || browser.globalPrivacyControl === true;
}

/**
 * Whether this page reports events. `crypto.randomUUID` exists on secure origins only; elsewhere nothing is reported.
 */
export function mayReport(): boolean {
  return !hasTrackingOptOut(navigator) && 'randomUUID' in crypto;
}

/** A queue of events to report. */
export interface EventLog<Event> {
  /** Removes and returns at most `limit` events. */
  take(limit: number): Event[];
  /** Returns events that could not be sent. */
  putBack(events: readonly Event[]): void;
}

/** Sends the events of a log. */
export class EventSender<Event> {
  readonly #log: EventLog<Event>;
  #sending = false;
  /** The server does not track this viewer. */
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
      // Without keepalive, leaving the page would cancel the request.
      const keepalive = body.length <= MAX_KEPT_ALIVE;
      const response = await fetch(ADDRESS, {
        method: 'POST',
        body,
        keepalive,
        headers: { 'content-type': 'application/json' },
      });
      if (response.status === 429 || response.status >= 500) this.#log.putBack(events);
      else if (response.ok)
        this.#trackingDisabled = ((await response.json()) as { tracked?: boolean }).tracked === false;
    } catch {
      this.#log.putBack(events);
    } finally {
      this.#sending = false;
    }
  }

  /** Called when the page may be closed: sends what is left as a beacon. */
  leave(): void {
    if (this.#trackingDisabled) return;
    const events = this.#log.take(MAX_EVENTS);
    if (events.length > 0 && !navigator.sendBeacon(ADDRESS, JSON.stringify({ events }))) this.#log.putBack(events);
  }
}
