import { EventSender, mayReport } from '../lib/report-events.ts';
import { currentTrafficSource } from '../lib/traffic-source.ts';
import type { PlayerController } from './controller.ts';
import { PlaybackLog } from './playback-log.ts';

const HEARTBEAT_MS = 10_000;

/** Reports playback every ten seconds and when the page is closed. Returns a function that stops it. */
export function reportPlayback(video: HTMLVideoElement, player: PlayerController, contentId: string): () => void {
  if (!mayReport()) return () => undefined;
  const source = currentTrafficSource();
  const log = new PlaybackLog({ contentId, sessionId: crypto.randomUUID(), source, now: () => Date.now() });
  const closing = new AbortController();
  const sender = new EventSender(log);
  listen(video, log, closing.signal);
  const unsubscribe = player.subscribe(() => observe(player, video, log));
  const upToNow = (): void => {
    // timeupdate fires a few times a second; what was played since the last one counts too.
    if (!video.seeking) log.progressed(video.currentTime, video.duration);
    log.heartbeat();
  };
  const beat = setInterval(() => {
    upToNow();
    void sender.send();
  }, HEARTBEAT_MS);
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
  on('play', () => log.playRequested());
  on('playing', () => log.playing(video.currentTime));
  on('timeupdate', () => {
    if (!video.seeking) log.progressed(video.currentTime, video.duration);
  });
  on('waiting', () => log.stalled(video.seeking));
  on('pause', () => {
    if (!video.ended && !video.seeking) log.paused(video.currentTime);
  });
  on('seeking', () => log.seekStarted());
  on('seeked', () => log.seekEnded(video.currentTime, !video.paused));
  on('ended', () => log.ended(video.currentTime));
}

/** Quality and errors are known to the controller, not to the video element. */
function observe(player: PlayerController, video: HTMLVideoElement, log: PlaybackLog): void {
  const { levels, activeLevel, failure } = player.state();
  const level = levels.find(({ id }) => id === activeLevel);
  if (level) log.qualityChanged(level.label.replaceAll('·', '-'), video.currentTime);
  if (failure !== lastFailure.get(player)) {
    lastFailure.set(player, failure);
    if (failure) log.failed(failure.reason, video.currentTime);
  }
}

const lastFailure = new WeakMap<PlayerController, unknown>();
