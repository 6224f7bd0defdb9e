import { type Amf0Object, type AudioTag, type VideoTag, writeAudio, writeVideo } from '@reelgraph/rtmp';
import type { LiveTracks } from '../packaging/live-stream.ts';
import { ContinuousTime } from './continuous-time.ts';
import type { SimulcastMessage } from './simulcast-message.ts';
import type { EnabledTarget } from './simulcast-targets.store.ts';
import type { SimulcastSource } from './target-connection.ts';
import { TargetPublisher, type TargetStatus, type TargetTools } from './target-publisher.ts';

/** The encoder whose broadcast is published at other servers. */
export interface SimulcastEncoder {
  readonly inputId: string;
  readonly channelId: string;
  readonly connectionId: string;
  /** What it sends; null before that is known. */
  readonly tracks: () => LiveTracks | null;
}

/** CodecID and SoundFormat of FLV; others have the number of their FourCC (Enhanced RTMP v2, section "Metadata"). */
const CODEC_IDS = { h264: 7, hevc: fourCc('hvc1'), av1: fourCc('av01') } as const;
const AAC = 10;

/** Publishes what one encoder sends, as it comes, at the targets of its live input. Never waits for any of them. */
export class Simulcast implements SimulcastSource {
  readonly encoder: SimulcastEncoder;
  readonly #tools: TargetTools;
  readonly #time = new ContinuousTime();
  readonly #configs: { video: Buffer | null; audio: Buffer | null } = { video: null, audio: null };
  readonly #publishers = new Map<string, TargetPublisher>();
  /** What the database knows of the targets. */
  readonly #reported = new Map<string, TargetStatus>();
  #contentId: string | null = null;
  #isStopped = false;

  constructor(tools: TargetTools, encoder: SimulcastEncoder) {
    [this.#tools, this.encoder] = [tools, encoder];
  }

  /** The stream, once the broadcast is live; null before: nothing is published then. */
  get contentId(): string | null {
    return this.#contentId;
  }

  /** The broadcast is live, so that it is published from now on. */
  start(contentId: string): void {
    this.#contentId = contentId;
  }

  video(timestamp: number, tag: VideoTag): void {
    if (tag.kind === 'end') return;
    const atMs = this.#time.at(timestamp);
    if (tag.kind === 'frame' && this.#publishers.size === 0) return;
    const bytes = writeVideo(tag);
    if (tag.kind === 'config') this.#configs.video = bytes;
    this.#push({ track: 'video', atMs, isKeyframe: tag.kind === 'frame' && tag.isKeyframe, bytes });
  }

  audio(timestamp: number, tag: AudioTag): void {
    if (tag.kind === 'end') return;
    const atMs = this.#time.at(timestamp);
    if (tag.kind === 'frame' && this.#publishers.size === 0) return;
    const bytes = writeAudio(tag);
    if (tag.kind === 'config') this.#configs.audio = bytes;
    this.#push({ track: 'audio', atMs, isKeyframe: false, bytes });
  }

  configs(): readonly Pick<SimulcastMessage, 'track' | 'bytes'>[] {
    const { video, audio } = this.#configs;
    return [
      ...(video ? [{ track: 'video' as const, bytes: video }] : []),
      ...(audio ? [{ track: 'audio' as const, bytes: audio }] : []),
    ];
  }

  metadata(): Amf0Object {
    const { video, audio } = this.encoder.tracks() ?? {};
    return {
      encoder: 'Reelgraph',
      ...(video && { width: video.width, height: video.height, videocodecid: CODEC_IDS[video.kind] }),
      ...(audio && { audiocodecid: AAC, audiosamplerate: audio.sampleRate, stereo: audio.channels === 2 }),
    };
  }

  /** Publishes at these targets from now on, and at no others. */
  follow(targets: readonly EnabledTarget[]): void {
    if (this.#isStopped) return;
    const present = new Map(targets.map((target) => [target.id, target]));
    for (const [id, publisher] of this.#publishers) {
      const target = present.get(id);
      if (target && publisher.update(target)) continue;
      publisher.stop(true);
      this.#publishers.delete(id);
      this.#reported.delete(id);
    }
    for (const target of targets)
      if (!this.#publishers.has(target.id))
        this.#publishers.set(target.id, new TargetPublisher(this.#tools, target, this));
  }

  /** What has changed since it was last noted: a target, what is known of it, and what is to be noted. */
  changes(): { target: EnabledTarget; before: TargetStatus | null; now: TargetStatus }[] {
    return [...this.#publishers.values()].flatMap(({ target, status: now }) => {
      const before = this.#reported.get(target.id) ?? null;
      return now === before ? [] : [{ target, before, now }];
    });
  }

  noted({ id }: EnabledTarget, status: TargetStatus): void {
    if (this.#publishers.has(id)) this.#reported.set(id, status);
  }

  /** Ends all: with the word that nothing follows, or as when a connection breaks. */
  stop(hasEnded: boolean): void {
    this.#isStopped = true;
    for (const publisher of this.#publishers.values()) publisher.stop(hasEnded);
    this.#publishers.clear();
  }

  #push(message: SimulcastMessage): void {
    for (const publisher of this.#publishers.values()) publisher.push(message);
  }
}

function fourCc(name: string): number {
  return Buffer.from(name, 'latin1').readUInt32BE(0);
}
