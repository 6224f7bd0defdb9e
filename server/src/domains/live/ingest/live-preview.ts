import type { AudioTag, VideoTag } from '@reelgraph/rtmp';
import { hlsMaster } from '../../../media/index.ts';
import { MASTER_PLAYLIST } from '../../assets/index.ts';
import { type LiveSegment, LiveStream } from '../packaging/live-stream.ts';
import type { LiveFile, LiveTrack } from '../packaging/live-track.ts';
import { type Patience, WaitingRequests } from '../packaging/waiting-requests.ts';
import { liveRenditions } from '../recording/live-renditions.ts';
import { EncoderInput } from './encoder-input.ts';

/** How far it can be rewound: less than what a track has in memory. */
const WINDOW_SECONDS = 12;

type VideoConfig = Extract<VideoTag, { kind: 'config' }>;
type AudioConfig = Extract<AudioTag, { kind: 'config' }>;

/** The decoder configurations that an encoder has sent. */
export interface DecoderConfigs {
  readonly video: VideoConfig | null;
  readonly audio: AudioConfig | null;
}

/** What an encoder sends before its broadcast is started. It is in memory only: nothing of it is recorded. */
export class LivePreview {
  readonly #stream: LiveStream;
  readonly #input: EncoderInput;
  readonly #waiting = new WaitingRequests();
  #video: VideoConfig | null = null;
  #audio: AudioConfig | null = null;
  #master: LiveFile | null = null;
  #hasEnded = false;

  constructor(now: () => number) {
    this.#stream = new LiveStream({
      ...{ lowLatency: true, windowSeconds: WINDOW_SECONDS, now },
      onInit: () => {},
      onSegment: (segment) => this.#describe(segment),
    });
    this.#input = new EncoderInput(this.#stream);
  }

  get configs(): DecoderConfigs {
    return { video: this.#video, audio: this.#audio };
  }

  video(timestamp: number, tag: VideoTag): void {
    if (tag.kind === 'config') this.#video = tag;
    this.#input.video(timestamp, tag);
  }

  audio(timestamp: number, tag: AudioTag): void {
    if (tag.kind === 'config') this.#audio = tag;
    this.#input.audio(timestamp, tag);
  }

  track(name: string): LiveTrack | null {
    return this.#stream.track(name);
  }

  /** Its master playlist, which is waited for; null under other names, and where nothing came in time. */
  async manifest(name: string, patience: Patience): Promise<LiveFile | null> {
    if (name !== MASTER_PLAYLIST) return null;
    await this.#waiting.wait(() => this.#master !== null || this.#hasEnded, patience);
    return this.#master;
  }

  end(): void {
    this.#hasEnded = true;
    this.#stream.end();
    this.#waiting.wake();
  }

  /** Other sample entries need another description. */
  #describe(segment: LiveSegment): void {
    const { entries } = this.#stream;
    if (!entries || (this.#master !== null && !segment.isDiscontinuity)) return;
    const body = Buffer.from(hlsMaster(liveRenditions(entries, [], segment)));
    this.#master = { body, etag: `"${segment.number}"` };
    this.#waiting.wake();
  }
}
