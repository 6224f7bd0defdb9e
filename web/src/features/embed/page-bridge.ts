import type {
  Greeting,
  PlayerCommand,
  PlayerEventName,
  PlayerMessage,
  PlayerSnapshot,
} from '../../../../clients/player/src/protocol.ts';
import type { PlayerController } from '../../player/controller.ts';
import type { PlayerState } from '../../player/player-state.ts';

/**
 * Connects the player with the page around the frame, which may be of any site: it can do what its visitor can with the
 * controls, and learns what it could see. The port comes when the frame has loaded, the player when the video is known.
 */
export class PageBridge {
  #port: MessagePort | null = null;
  #player: PlayerController | null = null;
  /** Of an error before the page connected. */
  #failure: string | null = null;
  #release = () => {};

  constructor(frame: Window) {
    frame.addEventListener('message', ({ source, data, ports: [port] }: MessageEvent<Partial<Greeting> | null>) => {
      if (source !== frame.parent || source === frame || data?.reelgraphPlayer !== 1 || !port) return;
      this.#port?.close();
      this.#port = port;
      this.#connect();
    });
  }

  /** The player of the video; null while there is none. */
  readonly attach = (player: PlayerController | null): void => {
    this.#player = player;
    this.#connect();
  };

  /** Tells the page why there is nothing to play. */
  fail(message: string): void {
    this.#failure = message;
    this.#send({ event: 'error', message });
  }

  #connect(): void {
    this.#release();
    this.#release = () => {};
    const [port, player] = [this.#port, this.#player];
    if (port && this.#failure !== null) this.#send({ event: 'error', message: this.#failure });
    if (!port || !player) return;
    let state = player.state();
    this.#send({ event: 'ready', state: snapshotOf(state) });
    this.#release = player.subscribe(() => {
      const before = state;
      state = player.state();
      for (const event of changesBetween(before, state)) this.#send({ event, state: snapshotOf(state) });
      if (state.failure && state.failure !== before.failure)
        this.#send({ event: 'error', message: state.failure.message });
    });
    // What the page sent before waits in the port.
    port.onmessage = ({ data }: MessageEvent<PlayerCommand>) => this.#obey(player, data);
  }

  #obey(player: PlayerController, command: PlayerCommand): void {
    switch (command.do) {
      case 'play':
        player.play().then(
          () => this.#send({ answer: command.id, error: null }),
          (error: unknown) =>
            this.#send({ answer: command.id, error: error instanceof DOMException ? error.name : 'AbortError' }),
        );
        break;
      case 'pause':
        player.pause();
        break;
      case 'seek':
        player.seek(Number(command.seconds) || 0);
        break;
      case 'setVolume':
        player.setVolume(Number(command.volume) || 0);
        break;
      case 'setMuted':
        player.setMuted(command.muted === true);
        break;
      case 'setRate':
        // Browsers refuse others.
        player.setRate(Math.min(16, Math.max(0.0625, Number(command.rate) || 1)));
        break;
    }
  }

  #send(message: PlayerMessage): void {
    this.#port?.postMessage(message);
  }
}

/** The events of media elements between two states, in their order. Pure. */
export function changesBetween(before: PlayerState, after: PlayerState): PlayerEventName[] {
  const events: [PlayerEventName, boolean][] = [
    ['durationchange', before.duration !== after.duration],
    ['play', !before.playing && after.playing],
    ['waiting', !before.waiting && after.waiting],
    ['playing', after.playing && !after.waiting && (!before.playing || before.waiting)],
    ['timeupdate', before.time !== after.time],
    ['volumechange', before.volume !== after.volume || before.muted !== after.muted],
    ['ratechange', before.rate !== after.rate],
    ['pause', before.playing && !after.playing],
    ['ended', !before.ended && after.ended],
  ];
  return events.filter(([, happened]) => happened).map(([event]) => event);
}

function snapshotOf({ time, duration, playing, ended, volume, muted, rate }: PlayerState): PlayerSnapshot {
  return { currentTime: time, duration, paused: !playing, ended, volume, muted, playbackRate: rate };
}
