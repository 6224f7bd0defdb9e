import type { PlayerController } from './controller.ts';
import { type PlaybackEvent, PlaybackLog } from './playback-log.ts';

const ADDRESS = '/api/engagement';
const BEAT_MS = 10_000;
/** Events of one request. */
const MAX_EVENTS = 100;
/** Bytes that a browser sends for a page that is gone; Fetch allows 64 KiB for all such requests together. */
const MAX_KEPT_ALIVE = 30_000;

/** Whether the browser asks not to be tracked; then nothing is reported. */
export function asksNotToBeTracked(browser: { doNotTrack?: string | null; globalPrivacyControl?: boolean }): boolean {
  return browser.doNotTrack === '1' || browser.globalPrivacyControl === true;
}

/** Reports what is played to the platform, every ten seconds and when the page goes away. Returns what ends it. */
export function reportPlayback(video: HTMLVideoElement, player: PlayerController, contentId: string): () => void {
  // crypto.randomUUID exists on secure origins only; elsewhere nothing is reported.
  if (asksNotToBeTracked(navigator) || !('randomUUID' in crypto)) return () => undefined;
  const log = new PlaybackLog({ contentId, sessionId: crypto.randomUUID(), now: () => Date.now() });
  const closing = new AbortController();
  const sender = new Sender(log);
  listen(video, log, closing.signal);
  const unsubscribe = player.subscribe(() => observe(player, video, log));
  const upToNow = (): void => {
    // The browser tells of progress a few times a second; what was played since then counts too.
    if (!video.seeking) log.progressed(video.currentTime, video.duration);
    log.beat();
  };
  const beat = setInterval(() => {
    upToNow();
    void sender.send();
  }, BEAT_MS);
  const leave = (): void => {
    upToNow();
    sender.leave();
  };
  const hide = (): void => {
    if (document.visibilityState === 'hidden') leave();
  };
  window.addEventListener('pagehide', leave, { signal: closing.signal });
  document.addEventListener('visibilitychange', hide, { signal: closing.signal });
  return () => {
    clearInterval(beat);
    unsubscribe();
    leave();
    closing.abort();
  };
}

function listen(video: HTMLVideoElement, log: PlaybackLog, signal: AbortSignal): void {
  const on = (event: string, react: () => void): void => video.addEventListener(event, react, { signal });
  on('play', () => log.wished());
  on('playing', () => log.playing(video.currentTime));
  on('timeupdate', () => {
    if (!video.seeking) log.progressed(video.currentTime, video.duration);
  });
  on('waiting', () => log.stalled(video.seeking));
  on('pause', () => {
    if (!video.ended && !video.seeking) log.paused(video.currentTime);
  });
  on('seeking', () => log.leaping());
  on('seeked', () => log.leapt(video.currentTime, !video.paused));
  on('ended', () => log.ended(video.currentTime));
}

/** Quality and failures are known to the player, not to the video element. */
function observe(player: PlayerController, video: HTMLVideoElement, log: PlaybackLog): void {
  const { levels, activeLevel, failure } = player.state();
  const level = levels.find(({ id }) => id === activeLevel);
  if (level) log.qualityIs(level.label.replaceAll('·', '-'), video.currentTime);
  if (failure !== lastFailure.get(player)) {
    lastFailure.set(player, failure);
    if (failure) log.failed(failure.reason, video.currentTime);
  }
}

const lastFailure = new WeakMap<PlayerController, unknown>();

class Sender {
  readonly #log: PlaybackLog;
  #sending = false;
  /** The platform said that it keeps nothing of this viewer. */
  #unwanted = false;

  constructor(log: PlaybackLog) {
    this.#log = log;
  }

  async send(): Promise<void> {
    if (this.#sending || this.#unwanted) return;
    const events = this.#log.take(MAX_EVENTS);
    if (events.length === 0) return;
    this.#sending = true;
    try {
      const body = bodyOf(events);
      // Without keepalive, a page that is left while this is under way would take the report with it.
      const keepalive = body.length <= MAX_KEPT_ALIVE;
      const response = await fetch(ADDRESS, { method: 'POST', body, keepalive, headers: { 'content-type': 'application/json' } });
      if (response.status === 429 || response.status >= 500) this.#log.putBack(events);
      else if (response.ok) this.#unwanted = ((await response.json()) as { tracked?: boolean }).tracked === false;
    } catch {
      this.#log.putBack(events);
    } finally {
      this.#sending = false;
    }
  }

  /** The page may be gone in a moment: the browser delivers what it takes now. */
  leave(): void {
    if (this.#unwanted) return;
    const events = this.#log.take(MAX_EVENTS);
    if (events.length > 0 && !navigator.sendBeacon(ADDRESS, bodyOf(events))) this.#log.putBack(events);
  }
}

function bodyOf(events: readonly PlaybackEvent[]): string {
  return JSON.stringify({ events });
}
