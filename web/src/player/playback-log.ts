/** A playback event in the format of /api/engagement. */
export interface PlaybackEvent {
  readonly kind:
    | 'START'
    | 'HEARTBEAT'
    | 'QUARTILE'
    | 'PAUSE'
    | 'SEEK'
    | 'REBUFFER'
    | 'QUALITY_CHANGE'
    | 'ERROR'
    | 'COMPLETE';
  readonly contentId: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly occurredAt: string;
  readonly positionMs: number;
  readonly ranges?: readonly { readonly startMs: number; readonly endMs: number }[];
  readonly startupMs?: number;
  readonly source?: string;
  readonly rebufferMs?: number;
  readonly quartile?: number;
  readonly quality?: string;
  readonly errorCode?: string;
}

interface Options {
  readonly contentId: string;
  /** UUID of this playback session. */
  readonly sessionId: string;
  /** Where the viewer came from: TrafficSource of the API. */
  readonly source?: string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * The events of one playback: turns what happens to the video into events for /api/engagement. Pure except for the
 * clock; positions are in seconds, as in media elements.
 */
export class PlaybackLog {
  readonly #options: Options;
  #events: PlaybackEvent[] = [];
  #seq = 0;
  #playRequestedAt: number | null = null;
  #started = false;
  /** Start of the range being played; null while paused. */
  #from: number | null = null;
  #last = 0;
  #ranges: { startMs: number; endMs: number }[] = [];
  #stalledAt: number | null = null;
  #quartile = 0;
  #quality: string | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Playback was requested, by the viewer or the page. */
  playRequested(): void {
    this.#playRequestedAt ??= this.#options.now();
  }

  /** Playback runs. */
  playing(at: number): void {
    const now = this.#options.now();
    if (!this.#started) {
      this.#started = true;
      const { source } = this.#options;
      this.#add('START', at, { startupMs: now - (this.#playRequestedAt ?? now), ...(source && { source }) });
    } else if (this.#stalledAt !== null) {
      this.#add('REBUFFER', at, { rebufferMs: now - this.#stalledAt });
    }
    this.#stalledAt = null;
    this.#close();
    this.#from = at;
    this.#last = at;
  }

  /** The position advanced by playback. */
  progressed(at: number, duration: number): void {
    if (this.#from === null) return;
    this.#last = Math.max(this.#last, at);
    const reached = duration > 0 ? Math.min(3, Math.floor((at / duration) * 4)) : 0;
    while (this.#quartile < reached) {
      this.#quartile += 1;
      this.#add('QUARTILE', at, { quartile: this.#quartile });
    }
  }

  /** Playback stalls because data is missing. Seeking loads data too, and is not a stall. */
  stalled(seeking: boolean): void {
    this.#close();
    if (this.#started && !seeking) this.#stalledAt ??= this.#options.now();
  }

  paused(at: number): void {
    this.#close();
    this.#stalledAt = null;
    if (this.#started) this.#add('PAUSE', at, this.#played());
  }

  /** A seek starts: the range being played ends here. */
  seekStarted(): void {
    this.#close();
    this.#stalledAt = null;
  }

  /** A seek is complete. */
  seekEnded(to: number, plays: boolean): void {
    if (!this.#started) return;
    this.#add('SEEK', to, this.#played());
    if (plays) this.#from = to;
    this.#last = to;
  }

  /** The quality being played, by name. */
  qualityChanged(name: string, at: number): void {
    if (this.#started && this.#quality !== null && this.#quality !== name)
      this.#add('QUALITY_CHANGE', at, { quality: name });
    this.#quality = name;
  }

  failed(errorCode: string, at: number): void {
    this.#close();
    this.#add('ERROR', at, { errorCode });
  }

  ended(at: number): void {
    this.#close();
    if (this.#started) this.#add('COMPLETE', at, this.#played());
  }

  /** Every ten seconds, and when the page goes away. */
  heartbeat(): void {
    const plays = this.#from !== null;
    this.#close();
    if (plays) this.#from = this.#last;
    if (this.#ranges.length > 0) this.#add('HEARTBEAT', this.#last, this.#played());
  }

  /** Removes and returns at most `limit` events. */
  take(limit: number): PlaybackEvent[] {
    return this.#events.splice(0, limit);
  }

  /** Returns events that could not be sent; sending one twice is harmless. */
  putBack(events: readonly PlaybackEvent[]): void {
    this.#events.unshift(...events);
  }

  #close(): void {
    if (this.#from === null) return;
    const range = { startMs: Math.round(this.#from * 1000), endMs: Math.round(this.#last * 1000) };
    if (range.endMs > range.startMs) this.#ranges.push(range);
    this.#from = null;
  }

  #played(): Pick<PlaybackEvent, 'ranges'> {
    const ranges = this.#ranges;
    this.#ranges = [];
    return ranges.length > 0 ? { ranges } : {};
  }

  #add(kind: PlaybackEvent['kind'], at: number, more: Partial<PlaybackEvent>): void {
    const { contentId, sessionId, now } = this.#options;
    const occurredAt = new Date(now()).toISOString();
    this.#events.push({
      kind,
      contentId,
      sessionId,
      seq: this.#seq++,
      occurredAt,
      positionMs: Math.max(0, Math.round(at * 1000)),
      ...more,
    });
  }
}
