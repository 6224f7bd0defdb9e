import { frameAddress, type PlayerAttributes } from './address.ts';
import type { Greeting, PlayerCommand, PlayerMessage, PlayerSnapshot } from './protocol.ts';

/** Their change loads another player. The others count when it loads. */
const LOADING = ['src', 'content', 'server', 'token', 'controls'];
const ALLOWED = 'autoplay; fullscreen; picture-in-picture; encrypted-media';
const STYLES =
  ':host{display:block;aspect-ratio:16/9;background:#000}iframe{display:block;width:100%;height:100%;border:0}';
const NEW: PlayerSnapshot = {
  currentTime: 0,
  duration: 0,
  paused: true,
  ended: false,
  volume: 1,
  muted: false,
  playbackRate: 1,
};

interface Pending {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

// Servers that render pages import the module, too.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * `<reelgraph-player>`: a video of a Reelgraph platform in a frame, with methods, properties and events named as those
 * of HTML media elements. Events: ready, play, playing, pause, waiting, ended, timeupdate, durationchange,
 * volumechange, ratechange; error with `detail.message`. They do not bubble.
 */
export class ReelgraphPlayer extends Base {
  static readonly observedAttributes = LOADING;
  /** The platform of contents without `server`. */
  static server: string | null = null;

  #state = NEW;
  #port: MessagePort | null = null;
  /** Commands for the player that is about to be loaded. */
  #waiting: PlayerCommand[] = [];
  #isLoading = false;
  #asked = 0;
  readonly #pending = new Map<number, Pending>();

  connectedCallback(): void {
    this.#load();
  }

  disconnectedCallback(): void {
    this.#end();
    this.shadowRoot?.replaceChildren();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#load();
  }

  /** Plays. Rejects with NotAllowedError where the browser requires that the viewer clicks, or a muted video. */
  play(): Promise<void> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ do: 'play', id });
    });
  }

  pause(): void {
    this.#send({ do: 'pause' });
  }

  /** In seconds. */
  get currentTime(): number {
    return this.#state.currentTime;
  }

  set currentTime(seconds: number) {
    this.#state = { ...this.#state, currentTime: seconds };
    this.#send({ do: 'seek', seconds });
  }

  /** In seconds; NaN while it is unknown. */
  get duration(): number {
    return this.#state.duration || Number.NaN;
  }

  get paused(): boolean {
    return this.#state.paused;
  }

  get ended(): boolean {
    return this.#state.ended;
  }

  /** 0 to 1. */
  get volume(): number {
    return this.#state.volume;
  }

  set volume(volume: number) {
    this.#state = { ...this.#state, volume };
    this.#send({ do: 'setVolume', volume });
  }

  get muted(): boolean {
    return this.#state.muted;
  }

  set muted(muted: boolean) {
    this.#state = { ...this.#state, muted };
    this.#send({ do: 'setMuted', muted });
  }

  /** 1 is the speed of the recording. */
  get playbackRate(): number {
    return this.#state.playbackRate;
  }

  set playbackRate(rate: number) {
    this.#state = { ...this.#state, playbackRate: rate };
    this.#send({ do: 'setRate', rate });
  }

  /** Attributes that are set one after the other load one player. */
  #load(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    if (this.#port) this.#end();
    queueMicrotask(() => {
      this.#isLoading = false;
      if (this.isConnected) this.#show();
    });
  }

  #show(): void {
    const root = this.shadowRoot ?? this.#attach();
    const address = frameAddress(this.#attributes(), document.baseURI);
    if (!address) {
      root.replaceChildren();
      return;
    }
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<PlayerMessage>) => this.#receive(data);
    for (const command of this.#waiting.splice(0)) port1.postMessage(command);
    const frame = document.createElement('iframe');
    frame.title = this.title || 'Video player';
    frame.allow = ALLOWED;
    frame.allowFullscreen = true;
    frame.src = address.href;
    const greeting: Greeting = { reelgraphPlayer: 1 };
    frame.onload = () => frame.contentWindow?.postMessage(greeting, address.origin, [port2]);
    root.replaceChildren(frame);
  }

  #attach(): ShadowRoot {
    const root = this.attachShadow({ mode: 'open' });
    // A sheet, because policies of pages may forbid style elements.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    root.adoptedStyleSheets = [sheet];
    return root;
  }

  #attributes(): PlayerAttributes {
    const text = (name: string) => this.getAttribute(name);
    return {
      src: text('src'),
      content: text('content'),
      server: text('server') ?? ReelgraphPlayer.server,
      token: text('token'),
      start: text('start'),
      controls: text('controls'),
      chat: this.hasAttribute('chat'),
      autoplay: this.hasAttribute('autoplay'),
      muted: this.hasAttribute('muted'),
      loop: this.hasAttribute('loop'),
    };
  }

  /** Commands wait in the port until the player listens. */
  #send(command: PlayerCommand): void {
    if (this.#port) this.#port.postMessage(command);
    else this.#waiting.push(command);
  }

  #receive(message: PlayerMessage): void {
    if ('answer' in message) {
      const pending = this.#pending.get(message.answer);
      this.#pending.delete(message.answer);
      if (message.error === null) pending?.resolve();
      else pending?.reject(new DOMException('The video was not played.', message.error));
    } else if (message.event === 'error') {
      this.dispatchEvent(new CustomEvent('error', { detail: { message: message.message } }));
    } else {
      this.#state = message.state;
      this.dispatchEvent(new Event(message.event));
    }
  }

  #end(): void {
    this.#port?.close();
    this.#port = null;
    this.#state = NEW;
    this.#waiting = [];
    for (const { reject } of this.#pending.values()) reject(new DOMException('The player was removed.', 'AbortError'));
    this.#pending.clear();
  }
}

/** Defines `<reelgraph-player>`, unless it is or there are no elements. */
export function definePlayer(): void {
  if (globalThis.customElements?.get('reelgraph-player')) return;
  globalThis.customElements?.define('reelgraph-player', ReelgraphPlayer);
}

declare global {
  interface HTMLElementTagNameMap {
    'reelgraph-player': ReelgraphPlayer;
  }
}
