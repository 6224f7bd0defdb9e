import { t } from '../lib/i18n.ts';
import { forcedFor } from './forced-captions.ts';
import { type AudioTrack, attachSource, FAILURES, type Source } from './hls-source.ts';
import { INITIAL_STATE, type PlayerState } from './player-state.ts';
import { type Preferences, readPreferences, savePreferences } from './preferences.ts';
import { type Level, preferredLevel } from './quality.ts';
import { spansOf } from './ranges.ts';
import { type Command, steppedRate } from './shortcuts.ts';

/** iPhones support full screen for the video element only. */
type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

/** Identifies the preferred audio and captions across videos. */
const keyOf = ({ language, label }: Pick<TextTrack, 'language' | 'label'>): string => language || label;

/** How the video starts. */
export interface StartOptions {
  /** Whatever the viewer prefers; that is not remembered. */
  readonly muted?: boolean;
  readonly loop?: boolean;
}

/** Controls one video: turns media events into state, and commands into calls on the element and its source. */
export class PlayerController {
  readonly #video: HTMLVideoElement;
  readonly #frame: HTMLElement;
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  #state: PlayerState = INITIAL_STATE;
  #source: Source | null = null;
  #url = '';
  #attempt = 0;
  #loading: Promise<void> = Promise.resolve();
  /** The captions that were shown last, for the shortcut that turns them on again. */
  #lastCaption = 0;

  constructor(video: HTMLVideoElement, frame: HTMLElement, { muted = false, loop = false }: StartOptions = {}) {
    this.#video = video;
    this.#frame = frame;
    const preferences = readPreferences();
    video.volume = preferences.volume;
    video.muted = muted || preferences.muted;
    video.loop = loop;
    this.#listen(preferences, !muted);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): PlayerState => this.#state;

  /** Loads a URL; with `play` it plays as soon as the browser allows it. */
  load(url: string, options: { play?: boolean; startAt?: number } = {}): Promise<void> {
    this.#loading = this.#load(url, options);
    return this.#loading;
  }

  async #load(url: string, { play = false, startAt = 0 }: { play?: boolean; startAt?: number }): Promise<void> {
    this.#source?.destroy();
    this.#source = null;
    this.#url = url;
    this.#attempt += 1;
    const attempt = this.#attempt;
    this.#update({ failure: null, recovering: null, waiting: play, live: null });
    const current = (): boolean => attempt === this.#attempt && !this.#closing.signal.aborted;
    const source = await attachSource(this.#video, url, startAt, {
      levels: (levels) => current() && this.#levels(levels),
      activeLevel: (id) => current() && this.#update({ activeLevel: id }),
      audioTracks: (tracks) => current() && this.#audioTracks(tracks),
      activeAudioTrack: (id) => {
        if (!current()) return;
        this.#update({ activeAudioTrack: id });
        this.#captions();
      },
      liveEdge: (live) => current() && this.#update({ live }),
      recovering: (recovering) => current() && this.#update({ recovering }),
      failed: (failure) => current() && this.#update({ failure, recovering: null, waiting: false }),
    }).catch(() => {
      if (current()) this.#update({ failure: FAILURES.network, waiting: false });
      return null;
    });
    if (!current()) return source?.destroy();
    this.#source = source;
    this.#captions();
    if (play) void this.#tryToPlay();
  }

  /** After a failure: loads the same URL again, from where playback stopped. */
  retry(): void {
    void this.load(this.#url, { play: true, startAt: this.#video.currentTime });
  }

  destroy(): void {
    this.#closing.abort();
    this.#source?.destroy();
    this.#listeners.clear();
  }

  seek(seconds: number): void {
    const { duration } = this.#state;
    this.#video.currentTime = Math.min(Math.max(0, seconds), duration || 0);
    this.#update({ time: this.#video.currentTime });
  }

  /** Shows what is live. */
  toLive(): void {
    const { live } = this.#state;
    if (live) this.seek(live.position);
  }

  /** Leaves a muted video muted, as HTMLMediaElement.volume does. */
  setVolume(volume: number): void {
    this.#video.volume = Math.min(1, Math.max(0, volume));
  }

  /** As the slider and the keys do: zero mutes, and anything else is heard. */
  setLoudness(volume: number): void {
    this.setVolume(volume);
    this.setMuted(this.#video.volume === 0);
  }

  setMuted(muted: boolean): void {
    this.#video.muted = muted;
  }

  setRate(rate: number): void {
    this.#video.playbackRate = rate;
    savePreferences({ rate });
  }

  /** Null selects the level automatically, by network and player size. */
  setLevel(id: number | null): void {
    this.#source?.setLevel(id);
    this.#update({ chosenLevel: id });
    savePreferences({ lines: this.#state.levels.find((level) => level.id === id)?.lines ?? null });
  }

  setAudioTrack(id: number): void {
    this.#source?.setAudioTrack(id);
    const chosen = this.#state.audioTracks.find((track) => track.id === id);
    savePreferences({ audio: chosen ? keyOf(chosen) : null });
  }

  setCaption(index: number | null): void {
    for (const [at, track] of this.#tracks().entries()) track.mode = at === index ? 'showing' : 'disabled';
    const chosen = index === null ? undefined : this.#tracks()[index];
    savePreferences({ captions: chosen ? keyOf(chosen) : null });
    this.#lastCaption = index ?? this.#lastCaption;
    this.#captions();
  }

  toggle(): void {
    if (this.#video.paused || this.#video.ended) void this.#tryToPlay();
    else this.pause();
  }

  /** Plays once the URL is loaded. Rejects with NotAllowedError where the browser requires a gesture. */
  async play(): Promise<void> {
    await this.#loading;
    await this.#video.play();
  }

  pause(): void {
    this.#video.pause();
  }

  toggleMute(): void {
    this.#video.muted = !this.#video.muted;
    if (!this.#video.muted && this.#video.volume === 0) this.#video.volume = 0.5;
  }

  async toggleFullscreen(): Promise<void> {
    if (document.fullscreenElement) return document.exitFullscreen();
    const phone: PhoneVideo = this.#video;
    if (this.#frame.requestFullscreen) await this.#frame.requestFullscreen().catch(() => undefined);
    else phone.webkitEnterFullscreen?.();
  }

  async togglePip(): Promise<void> {
    if (document.pictureInPictureElement) await document.exitPictureInPicture();
    else if (document.pictureInPictureEnabled) await this.#video.requestPictureInPicture().catch(() => undefined);
  }

  /** Executes a keyboard command; false for those that the controls handle. */
  run(command: Command): boolean {
    const { time, duration, captions, activeCaption } = this.#state;
    switch (command.do) {
      case 'toggle':
        this.toggle();
        break;
      case 'seekBy':
        this.seek(time + command.by);
        break;
      case 'seekTo':
        this.seek(duration * command.fraction);
        break;
      case 'volumeBy':
        this.setLoudness((this.#video.muted ? 0 : this.#video.volume) + command.by);
        break;
      case 'mute':
        this.toggleMute();
        break;
      case 'rateStep':
        this.setRate(steppedRate(this.#video.playbackRate, command.by));
        break;
      case 'frame':
        if (this.#video.paused) this.seek(time + command.by / 30);
        break;
      case 'captions':
        if (captions.length > 0)
          this.setCaption(activeCaption === null ? (captions[this.#lastCaption]?.index ?? 0) : null);
        break;
      case 'fullscreen':
        void this.toggleFullscreen();
        break;
      case 'pip':
        void this.togglePip();
        break;
      case 'theatre':
      case 'help':
        return false;
    }
    return true;
  }

  async #tryToPlay(): Promise<void> {
    // The page may have waited for long.
    if (this.#state.notStarted) this.toLive();
    await this.#video.play().catch(() => this.#update({ waiting: false })); // the browser requires a user gesture
  }

  #levels(levels: readonly Level[]): void {
    const preferred = preferredLevel(levels, readPreferences().lines);
    if (preferred && this.#state.levels.length === 0) {
      this.#source?.setLevel(preferred.id);
      this.#update({ levels, chosenLevel: preferred.id });
    } else this.#update({ levels });
  }

  #audioTracks(audioTracks: readonly AudioTrack[]): void {
    const { audio } = readPreferences();
    const preferred = audioTracks.find((track) => audio !== null && keyOf(track) === audio);
    if (preferred) this.#source?.setAudioTrack(preferred.id);
    this.#update({ audioTracks });
  }

  /** Those that viewers can choose. */
  #tracks(): TextTrack[] {
    return this.#allTracks().filter((track) => !this.#source?.isForced(track));
  }

  #allTracks(): TextTrack[] {
    return [...this.#video.textTracks].filter(({ kind }) => kind === 'subtitles' || kind === 'captions');
  }

  /** Shows the forced captions in the language of the audio while no others are chosen. */
  #showForced(chosen: boolean): void {
    const forced = this.#allTracks().filter((track) => this.#source?.isForced(track));
    const { audioTracks, activeAudioTrack } = this.#state;
    const audio = audioTracks.find(({ id }) => id === activeAudioTrack) ?? audioTracks[0];
    const shown = chosen ? null : forcedFor(audio?.language ?? '', forced);
    for (const track of forced) {
      const mode = track === shown ? 'showing' : 'disabled';
      // Setting it announces a change even where there is none.
      if (track.mode !== mode) track.mode = mode;
    }
  }

  #captions(): void {
    const tracks = this.#tracks();
    const active = tracks.findIndex(({ mode }) => mode === 'showing');
    this.#showForced(active >= 0);
    this.#update({
      captions: tracks.map(({ label, language }, index) => {
        const number = index + 1;
        return { index, language, label: label || language || t`Track ${number}` };
      }),
      activeCaption: active < 0 ? null : active,
    });
  }

  #listen(preferences: Preferences, remembersMuted: boolean): void {
    const video = this.#video;
    const on = (target: EventTarget, events: string, react: () => void): void => {
      for (const event of events.split(' ')) target.addEventListener(event, react, { signal: this.#closing.signal });
    };
    on(video, 'play playing pause ended', () =>
      this.#update({
        playing: !video.paused && !video.ended,
        ended: video.ended,
        notStarted: this.#state.notStarted && video.paused,
      }),
    );
    on(video, 'waiting', () => this.#update({ waiting: true }));
    on(video, 'playing canplay seeked ended error', () => this.#update({ waiting: false }));
    on(video, 'playing', () => this.#update({ recovering: null }));
    on(video, 'timeupdate seeking seeked durationchange loadedmetadata progress', () => {
      const duration = Number.isFinite(video.duration) ? video.duration : 0;
      this.#update({
        time: video.currentTime,
        duration,
        buffered: spansOf(video.buffered, duration),
        ended: video.ended,
      });
    });
    on(video, 'loadedmetadata', () => {
      if (!this.#state.live) video.playbackRate = preferences.rate;
    });
    on(video, 'ratechange', () => this.#update({ rate: video.playbackRate }));
    on(video, 'volumechange', () => {
      this.#update({ volume: video.volume, muted: video.muted });
      savePreferences({ volume: video.volume, ...(remembersMuted ? { muted: video.muted } : {}) });
    });
    on(video, 'enterpictureinpicture leavepictureinpicture', () =>
      this.#update({ pip: document.pictureInPictureElement === video }),
    );
    on(window, 'online', () => {
      if (this.#state.failure?.reason === 'network') this.retry();
    });
    on(document, 'fullscreenchange', () => this.#update({ fullscreen: document.fullscreenElement === this.#frame }));
    on(video.textTracks, 'addtrack removetrack change', () => this.#captions());
    on(video.textTracks, 'addtrack', () => {
      const { captions } = readPreferences();
      const preferred = this.#tracks().findIndex((track) => captions !== null && keyOf(track) === captions);
      if (preferred >= 0 && this.#state.activeCaption === null) this.setCaption(preferred);
    });
    this.#update({ volume: video.volume, muted: video.muted });
  }

  #update(change: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
