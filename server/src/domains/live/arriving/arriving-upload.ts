import { Mp4Error } from '@reelgraph/mp4';
import { RtmpError } from '@reelgraph/rtmp';
import { StorageFullError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { RunError } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ReceivingStore } from '../../../platform/storage/receiving-store.ts';
import {
  ARRIVING_NAME,
  arrivingPrefix,
  orderObjectPurge,
  requireAnySpace,
  withdrawObjectPurge,
} from '../../assets/index.ts';
import type { Ingestion } from '../../ingest/index.ts';
import { EncoderError, EncoderInput } from '../ingest/encoder-input.ts';
import { FlvProgram, type FlvTools } from '../ingest/flv-program.ts';
import { type LiveInits, type LiveSegment, LiveStream } from '../packaging/live-stream.ts';
import { liveRenditions } from '../recording/live-renditions.ts';
import { ArrivingBytes, LostBytesError } from './arriving-bytes.ts';
import { LONGEST_SEGMENT_SECONDS } from './arriving-playlist.ts';
import { ArrivingRecorder, TakenBackError } from './arriving-recorder.ts';
import { type ArrivingSegment, insertArrivingSegment } from './arriving-segments.store.ts';
import { type ArrivingSource, arrivingSource } from './arriving-source.ts';
import { type PlayedUpload, playableUpload } from './arriving-videos.store.ts';
import { completeArrived } from './complete-arrived.ts';
import { offerArriving } from './offer-arriving.ts';
import { requireDecodable } from './require-decodable.ts';

/** An upload that pauses longer is no longer one of those at a time, and begins again with its first byte. */
const IDLE_MS = 20_000;
/** The least length of a segment, and that of the first one, which is shown before a keyframe follows. */
const SEGMENT_SECONDS = 1;
/** What is left in the program at the end of an upload is stored within this time. */
const LAST_MS = 60_000;
/** Segments of a video that is never offered are removed after this time. */
const UNOFFERED_MS = 86_400_000;

export type ArrivingTools = Pick<Platform, 'db' | 'clock' | 'store' | 'space' | 'log'> &
  FlvTools & { readonly receiving: ReceivingStore };

/** What becomes of an upload: it may go on, cannot be played, or not now, because others are. */
export type PlayedUntil = 'LATER' | 'NEVER' | 'BUSY';

/** Who limits how many programs run. */
export interface Places {
  /** Whether this upload may be played now, until `leave`. */
  enter(channelId: string): boolean;
  leave(channelId: string): void;
}

/** Plays one upload while it arrives. */
export class ArrivingUpload {
  readonly bytes: ArrivingBytes;
  readonly #tools: ArrivingTools;
  readonly #id: string;
  readonly #places: Places;
  #playing: PlayedVideo | null = null;

  constructor(tools: ArrivingTools, places: Places, { id, objectKey }: Pick<Ingestion, 'id' | 'objectKey'>) {
    [this.#tools, this.#places, this.#id] = [tools, places, id];
    this.bytes = new ArrivingBytes(tools.receiving, objectKey, IDLE_MS);
  }

  /** Until the upload has ended, pauses, or cannot be played further. Never throws. */
  async run(): Promise<PlayedUntil> {
    try {
      return await this.#play();
    } catch (error) {
      this.#explain(error);
      return 'NEVER';
    } finally {
      this.bytes.stop();
    }
  }

  /** Interrupts it. */
  async stop(): Promise<void> {
    this.bytes.stop();
    await this.#playing?.kill();
  }

  async #play(): Promise<PlayedUntil> {
    const chunks = this.bytes.chunks();
    const read = await this.#readHead(chunks);
    if (read === 'paused') return 'LATER';
    if (read === null) return 'NEVER';
    const { db, space } = this.#tools;
    const upload = await playableUpload(db, this.#id);
    if (!upload) return 'NEVER';
    if (!this.#places.enter(upload.channelId)) return 'BUSY';
    try {
      await requireAnySpace(space, db);
      const playing = await new PlayedVideo(this.#tools, upload, read.source).begin();
      this.#playing = playing;
      try {
        await playing.push(read.head);
        for await (const bytes of chunks) await playing.push(bytes);
        if (this.bytes.isWhole) await playing.end();
      } finally {
        await playing.close();
      }
      return 'LATER';
    } finally {
      this.#places.leave(upload.channelId);
    }
  }

  /** The beginning of a file that can be played from there; null for others, `paused` where too little has come. */
  async #readHead(chunks: AsyncGenerator<Buffer>): Promise<Head | 'paused' | null> {
    let head = Buffer.alloc(0);
    for (;;) {
      const next = await chunks.next();
      if (next.done && !this.bytes.isWhole) return 'paused';
      if (!next.done) head = Buffer.concat([head, next.value]);
      const source = arrivingSource(head, next.done === true);
      if (source === null) return null;
      if (source !== 'more') return { head, source };
    }
  }

  #explain(error: unknown): void {
    const { log } = this.#tools;
    const isExpected = EXPECTED.some((each) => error instanceof each);
    if (isExpected) log.info({ ingestionId: this.#id, reason: String(error) }, 'an upload is not played further');
    else log.warn({ ingestionId: this.#id, error }, 'an upload could not be played while it arrives');
  }
}

/** What files, full disks and those who end an upload may cause. */
const EXPECTED = [EncoderError, RtmpError, Mp4Error, RunError, LostBytesError, TakenBackError, StorageFullError];

interface Head {
  readonly head: Buffer;
  readonly source: ArrivingSource;
}

/** The program that reads an upload, and what is made of it. */
class PlayedVideo {
  readonly #tools: ArrivingTools;
  readonly #upload: PlayedUpload;
  readonly #source: ArrivingSource;
  readonly #videoAssetId: string;
  readonly #stream: LiveStream;
  readonly #recorder: ArrivingRecorder;
  #program: FlvProgram | null = null;
  #isOffered: boolean;

  constructor(tools: ArrivingTools, upload: PlayedUpload, source: ArrivingSource) {
    [this.#tools, this.#upload, this.#source] = [tools, upload, source];
    this.#isOffered = upload.videoAssetId !== null;
    this.#videoAssetId = upload.videoAssetId ?? newId<'video-asset'>(tools.clock.now());
    this.#recorder = new ArrivingRecorder(tools, {
      ...{ prefix: this.#prefix, known: upload.segments, onBegin: () => this.#orderPurge() },
      check: (segment, inits) => this.#check(segment, inits),
      onStored: (segment, row) => this.#stored(segment, row),
    });
    this.#stream = new LiveStream({
      ...{ lowLatency: false, windowSeconds: Number.POSITIVE_INFINITY, keptSegments: 0 },
      ...{ segmentSeconds: SEGMENT_SECONDS, firstSegmentSeconds: SEGMENT_SECONDS },
      ...{ longestSegmentSeconds: LONGEST_SEGMENT_SECONDS, now: () => tools.clock.now() },
      onInit: (number, inits) => this.#recorder.addInit(number, inits),
      onSegment: (segment) => this.#recorder.add(segment),
    });
  }

  get #prefix(): string {
    return arrivingPrefix(this.#upload.contentId, this.#videoAssetId);
  }

  async begin(): Promise<this> {
    // Files have what keyframes they have.
    const input = new EncoderInput(this.#stream, Number.POSITIVE_INFINITY);
    this.#program = await FlvProgram.start(this.#tools, this.#source, {
      video: (timestamp, tag) => input.video(timestamp, tag),
      audio: (timestamp, tag) => input.audio(timestamp, tag),
      settled: () => this.#recorder.settled(),
    });
    return this;
  }

  async push(bytes: Buffer): Promise<void> {
    await this.#program?.push(bytes);
  }

  /** Nothing follows. */
  async end(): Promise<void> {
    await this.#program?.end(LAST_MS);
    this.#stream.end();
    await this.#recorder.idle();
    await completeArrived(this.#tools, this.#upload.id);
  }

  /** Ends the program; what it has not written is made again by the next one. */
  async close(): Promise<void> {
    await this.#program?.kill();
    await this.#recorder.idle().catch(() => {}); // it was thrown before
    if (!this.#isOffered && this.#recorder.hasBegun) await this.#removeUnoffered();
  }

  async kill(): Promise<void> {
    await this.#program?.kill();
  }

  /** No row refers to the objects before the first segment is offered. */
  async #orderPurge(): Promise<void> {
    const { db, clock } = this.#tools;
    if (!this.#isOffered) await orderObjectPurge(db, this.#prefix, clock.now() + UNOFFERED_MS);
  }

  async #check({ video }: LiveSegment, inits: LiveInits | null): Promise<void> {
    if (!this.#isOffered && inits) await requireDecodable(this.#tools, inits.video, video.bytes);
  }

  async #removeUnoffered(): Promise<void> {
    const { db, store } = this.#tools;
    await store.deletePrefix(this.#prefix);
    await withdrawObjectPurge(db, this.#prefix);
  }

  async #stored(segment: LiveSegment, row: ArrivingSegment): Promise<boolean> {
    const { db, clock } = this.#tools;
    const { entries } = this.#stream;
    if (this.#isOffered || !entries)
      return insertArrivingSegment(db, this.#videoAssetId, row, new Date(clock.now()).toISOString());
    const { width, height } = entries.video;
    const offered = {
      ...{ upload: this.#upload, videoAssetId: this.#videoAssetId, mimeType: this.#source.mimeType, width, height },
      renditions: liveRenditions(entries, [], segment, ARRIVING_NAME),
    };
    this.#isOffered = await offerArriving(this.#tools, offered, row);
    return this.#isOffered;
  }
}
