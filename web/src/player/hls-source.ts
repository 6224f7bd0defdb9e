import type HlsPlayer from 'hls.js';
import type { ErrorData } from 'hls.js';
import { t } from '../lib/i18n.ts';
import { loadLastParts } from './live/last-parts.ts';
import { CATCH_UP_RATE, followLiveEdge, isLiveStream, type LiveEdge } from './live/live-edge.ts';
import { keepAfterStart } from './live/live-start.ts';
import { isFromOldPlaylist } from './live/old-playlist.ts';
import { describeLevels, isAvoided, isEnhanced, isSource, type Level } from './quality.ts';

/** Notifications from a source during playback. */
export interface SourceListener {
  levels(levels: readonly Level[]): void;
  activeLevel(id: number): void;
  audioTracks(tracks: readonly AudioTrack[]): void;
  activeAudioTrack(id: number): void;
  /** Where a live stream is; null for videos, and once it has ended. */
  liveEdge(edge: LiveEdge | null): void;
  /** A recoverable error: playback stalls and resumes by itself. Null when it is resolved. */
  recovering(why: string | null): void;
  failed(failure: SourceFailure): void;
}

/** An audio track of the stream. */
export interface AudioTrack {
  readonly id: number;
  readonly label: string;
  /** BCP 47; empty if unknown. */
  readonly language: string;
}

export interface SourceFailure {
  readonly reason: 'network' | 'forbidden' | 'gone' | 'media' | 'unsupported';
  readonly message: string;
  readonly fix: string;
}

export interface Source {
  /** Null selects the level automatically. */
  setLevel(id: number | null): void;
  setAudioTrack(id: number): void;
  /** Whether captions are shown by themselves to viewers who chose none (RFC 8216 section 4.3.4.1, FORCED). */
  isForced(track: TextTrack): boolean;
  destroy(): void;
}

/** How far ahead is loaded during playback; more would be data that most viewers never watch. */
const AHEAD = { maxBufferLength: 30, maxBufferSize: 60_000_000 };
/** Until then: the segment that plays first. */
const UNTIL_PLAY = { maxBufferLength: 1, maxBufferSize: 0 };
/** A first segment that is larger waits for playback. */
const MOST_BYTES_UNTIL_PLAY = 1_000_000;

const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000, 8000, 8000];
const MEDIA_REPAIRS_PER_MINUTE = 3;
/** hls.js retries long and silently; after one retry the recovery below takes over, which informs the viewer. */
const RETRY = { maxNumRetry: 1, retryDelayMs: 300, maxRetryDelayMs: 300 };
const ONE_RETRY = { errorRetry: RETRY, timeoutRetry: RETRY };

export const FAILURES = {
  network: {
    reason: 'network',
    message: t`The connection to the video was lost.`,
    fix: t`Check your connection and try again. Playback resumes where it stopped.`,
  },
  forbidden: { reason: 'forbidden', message: t`The playback link has expired.`, fix: t`Reload the page to continue.` },
  gone: {
    reason: 'gone',
    message: t`This video is no longer available.`,
    fix: t`It may have been unpublished or deleted.`,
  },
  media: {
    reason: 'media',
    message: t`The video could not be decoded.`,
    fix: t`Try again, select another quality, or use another browser.`,
  },
  unsupported: {
    reason: 'unsupported',
    message: t`This browser cannot play this video.`,
    fix: t`Use a current version of Firefox, Chrome, Edge or Safari.`,
  },
} as const satisfies Record<string, SourceFailure>;

/** Statuses for which a retry is useless. */
function failureOfStatus(status: number): SourceFailure | null {
  if (status === 401 || status === 403) return FAILURES.forbidden;
  return status === 404 || status === 410 ? FAILURES.gone : null;
}

const loadPlayer = () => Promise.all([import('hls.js'), import('hls.js/dist/hls.worker.js?url')]);

/** Loads what is needed before the URL is known. What cannot be loaded now is loaded with it. */
export function preloadPlayer(): void {
  void loadPlayer().catch(() => undefined);
}

/** Plays an HLS URL in a video element: with hls.js where Media Source Extensions exist, otherwise natively. */
export async function attachSource(
  video: HTMLVideoElement,
  url: string,
  startAt: number,
  listener: SourceListener,
): Promise<Source> {
  const extensions = 'ManagedMediaSource' in window || 'MediaSource' in window;
  if (!extensions) return attachNative(video, url, startAt, listener);
  const [{ default: Hls }, { default: workerPath }] = await loadPlayer();
  if (!Hls.isSupported()) return attachNative(video, url, startAt, listener);
  const LevelCap = Hls.DefaultConfig.capLevelController;
  const hls = new Hls({
    workerPath,
    startPosition: startAt > 0 ? startAt : -1,
    capLevelToPlayerSize: true,
    ...(LevelCap ? { capLevelController: automaticLevels(LevelCap) } : {}),
    ...UNTIL_PLAY,
    maxMaxBufferLength: 60,
    backBufferLength: 60,
    maxLiveSyncPlaybackRate: CATCH_UP_RATE,
    fragLoadPolicy: { default: { ...Hls.DefaultConfig.fragLoadPolicy.default, ...ONE_RETRY } },
  });
  const loadAhead = (): void => {
    Object.assign(hls.config, AHEAD);
    hls.resumeBuffering();
  };
  if (video.paused) {
    video.addEventListener('play', loadAhead, { once: true });
    hls.pauseBuffering();
    hls.once(Hls.Events.LEVEL_LOADED, (_, { level, details }) => {
      const segment = details.fragments.find(({ end }) => end > startAt);
      const bytes = ((hls.levels[level]?.bitrate ?? 0) / 8) * (segment?.duration ?? 0);
      if (bytes <= MOST_BYTES_UNTIL_PLAY) hls.resumeBuffering();
    });
  } else loadAhead();
  const repair = createRepair(hls, video, listener, Hls.ErrorTypes);
  let isChoosing = false;
  const list = (): void => {
    if (!isChoosing) listener.levels(describeLevels(hls.levels));
  };
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    isChoosing = true;
    keepAudioGroup(hls);
    keepCodec(hls, repair.codecs());
    if (hls.levels.some((level) => isAvoided(level, hls.levels))) hls.autoLevelCapping = lastAutomatic(hls);
    isChoosing = false;
    list();
  });
  hls.on(Hls.Events.LEVELS_UPDATED, list);
  hls.on(Hls.Events.LEVEL_SWITCHED, (_, { level }) => {
    if (hls.autoLevelEnabled) leaveSource(hls);
    listener.activeLevel(level);
  });
  hls.on(Hls.Events.AUDIO_TRACKS_UPDATED, (_, { audioTracks }) =>
    listener.audioTracks(audioTracks.map(({ id, name, lang = '' }) => ({ id, label: name, language: lang }))),
  );
  hls.on(Hls.Events.AUDIO_TRACK_SWITCHED, (_, { id }) => listener.activeAudioTrack(id));
  hls.on(Hls.Events.LEVEL_LOADED, (_, { details }) => {
    if (!isLiveStream(details)) hls.config.maxLiveSyncPlaybackRate = 1;
  });
  followLiveEdge(hls, Hls.Events, listener.liveEdge);
  loadLastParts(hls, Hls.Events);
  const release = keepAfterStart(hls, video);
  hls.on(Hls.Events.FRAG_BUFFERED, repair.healthy);
  hls.on(Hls.Events.ERROR, (_, data) => repair.onError(data));
  hls.loadSource(url);
  keepPlaying(video, () => hls.attachMedia(video));
  return {
    setLevel(id) {
      hls.config.capLevelToPlayerSize = id === null;
      if (id === null) leaveSource(hls);
      switchLevel(hls, Hls.Events.BUFFER_FLUSHING, video, id ?? -1);
    },
    setAudioTrack(id) {
      hls.audioTrack = id;
    },
    isForced: (track) => hls.subtitleTracks.some(({ forced, trackNode }) => forced && trackNode?.track === track),
    destroy() {
      repair.stop();
      video.removeEventListener('play', loadAhead);
      release();
      hls.destroy();
    },
  };
}

/** What is played before another level can have been loaded, while the video plays. */
const SWITCH_SECONDS = 4;

/**
 * Continues with a level as soon as it is loaded. hls.js then loads again what lies ahead, unless it is in the buffer
 * in part only, as after an earlier change; it would be played to its end.
 */
function switchLevel(
  hls: HlsPlayer,
  flushing: typeof HlsPlayer.Events.BUFFER_FLUSHING,
  video: HTMLVideoElement,
  level: number,
): void {
  let isDropped = false;
  const onDropped = (): void => {
    isDropped = true;
  };
  const present = hls.levels[hls.loadLevel];
  hls.on(flushing, onDropped);
  hls.nextLevel = level;
  hls.off(flushing, onDropped);
  if (isDropped || hls.levels[hls.nextLoadLevel] === present) return;
  const from = video.currentTime + (video.paused ? 0 : SWITCH_SECONDS);
  const next = present?.details?.fragments.find(({ start }) => start > from);
  if (next) hls.trigger(flushing, { startOffset: next.start, endOffset: Number.POSITIVE_INFINITY, type: 'video' });
}

/** The audio group that has an upmix in AAC beside the original. */
const UPMIX_GROUP = 'upmix';

/**
 * Keeps the levels with the audio of the first one, which is stereo, or with an upmix that viewers can choose. The
 * others have the same pictures with 5.1, which browsers mix down again.
 */
function keepAudioGroup(hls: HlsPlayer): void {
  const groups = hls.levels.map(({ audioGroups }) => audioGroups?.[0]);
  const group = groups.includes(UPMIX_GROUP) ? UPMIX_GROUP : groups[hls.firstLevel];
  for (let index = hls.levels.length - 1; index >= 0; index--)
    if (hls.levels[index]?.audioGroups?.[0] !== group) hls.removeLevel(index);
}

/** Best first, as hls.js names them in sets. It lists only what the browser decodes. */
const CODECS = ['av01', 'hvc1', 'avc1'];

/** Whether a level stays beside those in another codec, for viewers who choose it: the source, or an enhanced one. */
function isApart(level: HlsPlayer['levels'][number], { levels }: Pick<HlsPlayer, 'levels'>): boolean {
  return isSource(level) || isAvoided(level, levels);
}

/**
 * Keeps the levels in the best codec among these: the others have the same pictures in more data. The codec of an
 * enhanced level that is preferred is the best one. The source and what was enhanced stay for those who choose them.
 */
function keepCodec(hls: HlsPlayer, codecs: readonly string[]): void {
  const preferred = hls.levels.filter((level) => isEnhanced(level) && !isAvoided(level, hls.levels));
  const codecIn = (levels: HlsPlayer['levels']) =>
    codecs.find((each) => levels.some(({ codecSet }) => codecSet.startsWith(each)));
  const codec = codecIn(preferred) ?? codecIn(hls.levels);
  if (codec === undefined) return;
  for (let index = hls.levels.length - 1; index >= 0; index--) {
    const level = hls.levels[index];
    if (level && !level.codecSet.startsWith(codec) && !isApart(level, hls)) hls.removeLevel(index);
  }
  hls.config.videoPreference = { videoCodec: codec };
}

/** The largest level but enhanced ones that are to be avoided, which are larger than all others. */
function lastAutomatic({ levels }: Pick<HlsPlayer, 'levels'>): number {
  return levels.findLastIndex((level) => !isAvoided(level, levels));
}

type LevelCap = NonNullable<typeof HlsPlayer.DefaultConfig.capLevelController>;

/** Keeps hls.js from choosing levels to be avoided by itself, as it does with those larger than the player. */
function automaticLevels(CapLevelController: LevelCap): LevelCap {
  return class extends CapLevelController {
    readonly #player: HlsPlayer;

    constructor(player: HlsPlayer) {
      super(player);
      this.#player = player;
    }

    override getMaxLevel(most: number): number {
      return Math.min(super.getMaxLevel(most), lastAutomatic(this.#player));
    }
  };
}

/** Of the bandwidth: more would be too much for the next level. */
const SAFE_BANDWIDTH = 0.7;

/**
 * Has hls.js continue with another level if the present one is to be avoided, or the source in another codec than the
 * others: it chooses among levels in the codec of the last segment only.
 */
function leaveSource(hls: HlsPlayer): void {
  const present = hls.levels[hls.loadLevel];
  if (!present || !isApart(present, hls)) return;
  const leaves = isAvoided(present, hls.levels);
  const others = hls.levels.filter(
    (level) => !isAvoided(level, hls.levels) && (leaves || level.codecSet !== present.codecSet),
  );
  const within = others.filter(({ bitrate }) => bitrate <= SAFE_BANDWIDTH * hls.bandwidthEstimate);
  const next = within.at(-1) ?? others[0];
  if (next) hls.nextAutoLevel = hls.levels.indexOf(next);
}

/**
 * Recovers from network errors with increasing delays (at once when the browser is back online), and from decoder
 * errors by changing to H.264, then a few times.
 */
function createRepair(
  hls: HlsPlayer,
  video: HTMLVideoElement,
  listener: SourceListener,
  types: typeof HlsPlayer.ErrorTypes,
) {
  let retries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let repairs: number[] = [];
  let codecs: readonly string[] = CODECS;
  const reload = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (hls.levels.length === 0 && hls.url) hls.loadSource(hls.url);
    else hls.startLoad(video.currentTime);
  };
  const online = (): void => {
    if (timer === undefined) return;
    retries = 0;
    reload();
  };
  const reconnect = (): void => {
    const delay = RETRY_DELAYS_MS[retries];
    clearTimeout(timer);
    timer = delay === undefined ? undefined : setTimeout(reload, delay);
    retries += 1;
    if (delay === undefined) listener.failed(FAILURES.network);
    else listener.recovering(t`Reconnecting…`);
  };
  /** Where the browser decodes another codec worse than it says. */
  const playH264 = (): void => {
    codecs = ['avc1'];
    hls.config.startPosition = video.currentTime;
    if (hls.url) hls.loadSource(hls.url);
  };
  const repairDecoder = (): void => {
    if (codecs.length > 1 && hls.levels.some(({ codecSet }) => !codecSet.startsWith('avc1'))) {
      playH264();
      return;
    }
    repairs = [...repairs.filter((at) => at > performance.now() - 60_000), performance.now()];
    if (repairs.length > MEDIA_REPAIRS_PER_MINUTE) listener.failed(FAILURES.media);
    else hls.recoverMediaError();
  };
  window.addEventListener('online', online);
  return {
    /** Those to choose from. */
    codecs: () => codecs,
    healthy(): void {
      if (retries > 0) listener.recovering(null);
      retries = 0;
    },
    onError(data: ErrorData): void {
      if (!data.fatal) return;
      const answered = isFromOldPlaylist(data, hls) ? null : failureOfStatus(data.response?.code ?? 0);
      if (answered) listener.failed(answered);
      else if (data.type === types.NETWORK_ERROR) reconnect();
      else if (data.type === types.MEDIA_ERROR) repairDecoder();
      else listener.failed(FAILURES.media);
    },
    stop(): void {
      clearTimeout(timer);
      window.removeEventListener('online', online);
    },
  };
}

/** Attaching a source interrupts a pending play(); this resumes it. */
function keepPlaying(video: HTMLVideoElement, attach: () => void): void {
  const pressed = !video.paused;
  attach();
  if (pressed && video.paused) void video.play().catch(() => undefined);
}

function attachNative(video: HTMLVideoElement, url: string, startAt: number, listener: SourceListener): Source {
  if (!video.canPlayType('application/vnd.apple.mpegurl')) {
    listener.failed(FAILURES.unsupported);
    return { setLevel() {}, setAudioTrack() {}, isForced: () => false, destroy() {} };
  }
  const failed = (): void =>
    listener.failed(video.error?.code === MediaError.MEDIA_ERR_NETWORK ? FAILURES.network : FAILURES.media);
  const start = (): void => {
    if (startAt > 0) video.currentTime = startAt;
  };
  video.addEventListener('error', failed);
  video.addEventListener('loadedmetadata', start, { once: true });
  keepPlaying(video, () => {
    video.src = url;
  });
  return {
    setLevel() {},
    setAudioTrack() {},
    // Browsers that play HLS natively show them, and do not list them as captions.
    isForced: () => false,
    destroy() {
      video.removeEventListener('error', failed);
      video.removeEventListener('loadedmetadata', start);
      video.removeAttribute('src');
      video.load();
    },
  };
}
