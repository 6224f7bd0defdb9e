import { VIDEO_TIMESCALE } from '@reelgraph/mp4';
import type { AudioTag, VideoTag } from '@reelgraph/rtmp';
import { type ContentId, newId } from '../../../kernel/ids.ts';
import type { LiveRung, Rendition } from '../../../media/index.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { EndReason } from '../broadcasts/broadcast-states.ts';
import { type Broadcast, forgetUnplayed, markReconnecting } from '../broadcasts/broadcasts.store.ts';
import { LIVE_MANIFEST } from '../broadcasts/live-names.ts';
import { ROLLING_SECONDS } from '../broadcasts/stored-range.ts';
import type { PartJournal } from '../journal/part-journal.ts';
import type { LadderTools } from '../ladder/ladder-program.ts';
import { LiveLadder } from '../ladder/live-ladder.ts';
import { type LiveInits, type LiveSegment, LiveStream, PART_SECONDS } from '../packaging/live-stream.ts';
import type { LiveFile, LiveTrack } from '../packaging/live-track.ts';
import type { Patience } from '../packaging/waiting-requests.ts';
import { BroadcastMeter } from '../quota/broadcast-meter.ts';
import { appendReconnecting } from '../recording/append-reconnecting.ts';
import { completeRecording, type RecordingTools } from '../recording/complete-recording.ts';
import { endBroadcast } from '../recording/end-broadcast.ts';
import { goLive } from '../recording/go-live.ts';
import { LiveDash } from '../recording/live-dash.ts';
import { livePrefix, liveRenditions } from '../recording/live-renditions.ts';
import { RollingWindow } from '../recording/rolling-window.ts';
import { SegmentRecorder } from '../recording/segment-recorder.ts';
import { type StoredBroadcast, storedBroadcast } from '../recording/stored-broadcast.ts';
import type { Simulcast } from '../simulcast/simulcast.ts';
import type { Simulcasts } from '../simulcast/simulcasts.ts';
import type { AcceptedEncoder } from './accept-encoder.ts';
import { EncoderHealth } from './encoder-health.ts';
import { EncoderInput } from './encoder-input.ts';
import { LivePreview } from './live-preview.ts';

export type LiveTools = RecordingTools & {
  readonly ladder: LadderTools & { readonly cores: number };
  readonly simulcasts: Simulcasts;
};

/** The connection of an encoder to a broadcast. */
interface Encoder extends AcceptedEncoder {
  readonly input: EncoderInput;
  readonly health: EncoderHealth;
  readonly simulcast: Simulcast;
  /** Closes the connection. */
  readonly close: () => void;
}

/** A broadcast in the process that receives it, or offers what another one received. */
export class LiveSession {
  readonly broadcast: Broadcast;
  readonly stream: LiveStream;
  readonly #ladder: LiveLadder;
  readonly #dash: LiveDash;
  readonly videoAssetId: string;
  readonly #tools: LiveTools;
  readonly #contentId: ContentId;
  readonly #recorder: SegmentRecorder;
  readonly #window: RollingWindow | null;
  #encoder: Encoder | null = null;
  /** What the encoder sends as long as the broadcast is not started; null once it is. */
  #preview: LivePreview | null = null;
  #awaitsStart: boolean;
  /** Whose segments are being stored, also after it has ended or is gone. */
  #publisher: Encoder | null = null;
  /** Of what was received here and is not stored; null where nothing was. */
  #journal: PartJournal | null = null;
  /** Whether the row says so. */
  #isLive = false;
  #hasVideo: boolean;
  /** What is received here. */
  readonly minutes: BroadcastMeter;
  #leftOutSizes: readonly string[] = [];
  /** How manifests describe what the encoder sends, with or without sound, since the last discontinuity. */
  readonly #renditions = new Map<boolean, readonly Rendition[]>();

  private constructor(tools: LiveTools, broadcast: Broadcast) {
    const { id, contentId, videoAssetId, latency, recording } = broadcast;
    [this.#tools, this.broadcast, this.#hasVideo] = [tools, broadcast, videoAssetId !== null];
    this.minutes = new BroadcastMeter(tools, broadcast);
    this.#awaitsStart = broadcast.awaitsStart;
    this.#contentId = (contentId as ContentId | null) ?? newId<'content'>(tools.clock.now()); // of the table
    this.videoAssetId = videoAssetId ?? newId<'video-asset'>(tools.clock.now());
    const prefix = livePrefix(this.#contentId, this.videoAssetId);
    this.#recorder = new SegmentRecorder(tools, {
      ...{ broadcastId: id, prefix },
      onStored: (segment) => this.#stored(segment),
      onSettled: (number) => this.#journal?.settled(number),
    });
    const isWhole = recording === 'ALL';
    this.#window = isWhole ? null : new RollingWindow(tools, id, prefix);
    this.#ladder = new LiveLadder({
      ...{ tools: tools.ladder, cores: tools.ladder.cores, log: tools.log, now: () => tools.clock.now() },
      partSeconds: latency === 'LOW' ? PART_SECONDS : Number.POSITIVE_INFINITY,
      onInit: (track, number, bytes) => this.#recorder.addTrackInit(track, number, bytes),
      onSegment: (track, number, bytes) => {
        this.#recorder.addTrackSegment(track, number, bytes);
        this.#dash.addSize(track, number);
      },
      onChange: (leftOut) => this.#sizesChanged(leftOut),
    });
    const windowSeconds = isWhole ? Number.POSITIVE_INFINITY : ROLLING_SECONDS;
    const now = () => tools.clock.now();
    this.#dash = new LiveDash({ windowSeconds, now, encoding: () => this.#ladder.encoding });
    this.stream = new LiveStream({
      ...{ lowLatency: latency === 'LOW', windowSeconds, now },
      onInit: (number, inits) => this.#begun(number, inits),
      onSegment: (segment) => this.#made(segment),
      onPart: (part) => this.#journal?.addPart(part),
      pictures: this.#ladder,
    });
  }

  /** A broadcast, with what is stored of it. */
  static async open(tools: LiveTools, broadcast: Broadcast): Promise<LiveSession> {
    const session = new LiveSession(tools, broadcast);
    const { id, contentId, videoAssetId } = broadcast;
    if (contentId !== null && videoAssetId !== null) {
      const stored = await storedBroadcast(tools, { id, contentId, videoAssetId });
      if (stored) session.#restore(stored);
      for (const { number, startSeconds, videoSeconds } of stored?.segments ?? [])
        session.#window?.remember(number, startSeconds + videoSeconds);
    }
    return session;
  }

  #restore({ segments, inits, pictures, sizes, rows, renditions }: StoredBroadcast): void {
    this.stream.restore(segments, inits);
    const { startedAt } = this.broadcast;
    if (startedAt !== null) this.#dash.restore(rows, renditions, Date.parse(startedAt));
    const tracks = [...sizes].map(([name, numbers]) => [name, this.stream.restoredTrack(segments, numbers)] as const);
    this.#ladder.restore(pictures, new Map(tracks));
  }

  /** The track with this name; null where there is none. */
  track(name: string): LiveTrack | null {
    return this.stream.track(name) ?? this.#ladder.track(name);
  }

  /** The DASH manifest; null under other names, and where nothing can be played. */
  async manifest(name: string, patience: Patience): Promise<LiveFile | null> {
    return name === LIVE_MANIFEST ? this.#dash.file(patience) : null;
  }

  /** What its encoder sends, before it is started; null afterwards, and where it starts by itself. */
  get preview(): LivePreview | null {
    return this.#preview;
  }

  get encoder(): Encoder | null {
    return this.#encoder;
  }

  /** Of the last encoder that was received here; null where there was none. */
  get lastConnectionId(): string | null {
    return this.#publisher?.connectionId ?? null;
  }

  /** An encoder was accepted; what another one has left is complete. */
  attach(accepted: AcceptedEncoder, close: () => void): void {
    this.#encoder?.close();
    this.#leave(this.#encoder, false);
    this.stream.interrupt();
    this.#isLive = false;
    this.#journal = this.#tools.journals.open(this.broadcast.id);
    const simulcast = this.#tools.simulcasts.open({
      ...{ inputId: this.broadcast.inputId, channelId: this.broadcast.channelId, connectionId: accepted.connectionId },
      tracks: () => this.stream.entries,
    });
    this.#encoder = {
      ...accepted,
      input: new EncoderInput(this.stream),
      health: new EncoderHealth(),
      simulcast,
      close,
    };
    this.#publisher = this.#encoder;
    this.#endPreview();
    if (this.#awaitsStart) this.#preview = new LivePreview(() => this.#tools.clock.now());
  }

  video(timestamp: number, tag: VideoTag): void {
    if (tag.kind === 'frame') this.#encoder?.health.video(timestamp, tag.isKeyframe, this.#tools.clock.now());
    if (this.#preview && !this.#awaitsStart && tag.kind === 'frame' && tag.isKeyframe) this.#begin(timestamp);
    (this.#preview ?? this.#encoder?.input)?.video(timestamp, tag);
    this.#encoder?.simulcast.video(timestamp, tag);
  }

  audio(timestamp: number, tag: AudioTag): void {
    (this.#preview ?? this.#encoder?.input)?.audio(timestamp, tag);
    this.#encoder?.simulcast.audio(timestamp, tag);
  }

  /** The channel has started it: it begins with the next keyframe. Nothing changes where it has begun. */
  start(): void {
    this.#awaitsStart = false;
  }

  /** What follows belongs to the broadcast. */
  #begin(timestamp: number): void {
    const { video, audio } = this.#preview?.configs ?? { video: null, audio: null };
    this.#endPreview();
    if (video) this.#encoder?.input.video(timestamp, video);
    if (audio) this.#encoder?.input.audio(timestamp, audio);
  }

  #endPreview(): void {
    this.#preview?.end();
    this.#preview = null;
  }

  /** The encoder is gone: the broadcast waits for it, unless nothing of it was played. */
  async lost(connectionId: string): Promise<void> {
    if (this.#encoder?.connectionId !== connectionId) return;
    this.#leave(this.#encoder, false);
    this.#encoder = null;
    this.#endPreview();
    this.stream.interrupt();
    await this.#ladder.idle();
    this.#dash.flush();
    await this.#recorder.idle();
    await this.minutes.charge();
    this.#isLive = false;
    const { db, clock } = this.#tools;
    await db.transaction(async (tx) => {
      if (await forgetUnplayed(tx, this.broadcast.id, connectionId)) return;
      const now = new Date(clock.now()).toISOString();
      await appendReconnecting(tx, await markReconnecting(tx, this.broadcast.id, connectionId, now));
    });
  }

  /** This process was taken to be dead: the broadcast is live again with its next segment. */
  wasSilent(): void {
    this.#isLive = false;
  }

  /** The encoder has said that nothing follows. */
  async finish(connectionId: string): Promise<void> {
    if (this.#encoder?.connectionId === connectionId) await this.end('ENCODER_STOPPED');
  }

  /** Ends the broadcast, unless another process has taken it over, and completes its recording. */
  async end(reason: EndReason): Promise<void> {
    const encoder = this.#encoder;
    this.#encoder = null;
    encoder?.close();
    this.#leave(encoder, true);
    this.#endPreview();
    this.stream.end();
    await this.#ladder.idle();
    this.#dash.end();
    await this.#recorder.idle();
    await this.minutes.charge();
    await this.close();
    const { db } = this.#tools;
    const { id } = this.broadcast;
    if (encoder && !(await forgetUnplayed(db, id, encoder.connectionId)))
      await endBroadcast(this.#tools, id, { reason, connectionId: encoder.connectionId });
    await completeRecording(this.#tools, id);
  }

  /** Removes the journal: what was received is stored. */
  async close(): Promise<void> {
    this.#journal = null;
    await this.#tools.journals.close(this.broadcast.id);
  }

  #begun(number: number, inits: LiveInits): void {
    this.#recorder.addInit(number, inits);
    const { video, audio } = inits;
    const sound = audio ? [{ init: number, track: 'audio' as const, bytes: audio }] : [];
    this.#journal?.addInits([{ init: number, track: 'video', bytes: video }, ...sound]);
  }

  #made(segment: LiveSegment): void {
    this.#recorder.add(segment);
    const { entries } = this.stream;
    if (!entries) return;
    if (segment.isDiscontinuity) this.#renditions.clear();
    const hasSound = segment.audio !== null && segment.audio.bytes.length > 0;
    const renditions = this.#renditions.get(hasSound) ?? liveRenditions(entries, this.#ladder.rungs, segment);
    this.#renditions.set(hasSound, renditions);
    this.#dash.add(segment, renditions);
  }

  async #stored(segment: LiveSegment): Promise<void> {
    this.minutes.add(segment.video.durationSeconds);
    await this.#window?.note(segment.number, segment.startSeconds + segment.video.duration / VIDEO_TIMESCALE);
    const [encoder, tracks] = [this.#publisher, this.stream.entries];
    if (this.#isLive || !encoder || !tracks) return;
    const { broadcast, connectionId, target } = encoder;
    const facts = {
      ...{ broadcast, connectionId, tracks, rungs: this.#ladder.rungs, isNew: !this.#hasVideo },
      ...{ contentId: this.#contentId, videoAssetId: this.videoAssetId },
      ...{ title: target.name, visibility: target.visibility },
    };
    this.#isLive = await goLive(this.#tools, facts, segment);
    if (!this.#isLive) {
      encoder.close();
      return;
    }
    this.#hasVideo = true;
    encoder.simulcast.start(this.#contentId);
  }

  /** Other servers see what happens to the encoder: an end, or a connection that breaks. */
  #leave(encoder: Encoder | null, hasEnded: boolean): void {
    if (encoder) this.#tools.simulcasts.end(encoder.simulcast, hasEnded);
  }

  /** Labels of the sizes that are not encoded for now. */
  get leftOutSizes(): readonly string[] {
    return this.#leftOutSizes;
  }

  #sizesChanged(leftOut: readonly LiveRung[]): void {
    const before = this.#leftOutSizes.length;
    const leftOutSizes = leftOut.map(({ label }) => label);
    this.#leftOutSizes = leftOutSizes;
    const { log, db } = this.#tools;
    const { id: broadcastId, channelId } = this.broadcast;
    log.info({ broadcastId, leftOutSizes }, 'sizes of a broadcast are left out, or encoded again');
    if (leftOut.length < before || !this.#isLive) return;
    const payload = { reason: 'SIZES_LEFT_OUT', leftOutSizes };
    appendEvent(db, { type: 'stream.unhealthy', channelId, subjectId: this.#contentId, payload }).catch(
      (error: unknown) => log.warn({ error, broadcastId }, 'an event of a broadcast could not be written'),
    );
  }
}
