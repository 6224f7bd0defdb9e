import { availableParallelism } from 'node:os';
import type { ImageDecoder, Runner } from '../../media/index.ts';
import type { Consumer } from '../../platform/events/events.ts';
import { readFetchAllow } from '../../platform/fetch/fetch-allow.ts';
import { createGuardedSockets } from '../../platform/fetch/guarded-socket.ts';
import type { JobHandler } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Repeated } from '../../platform/repeat.ts';
import type { Route } from '../../platform/routing.ts';
import type { ReceivingStore } from '../../platform/storage/receiving-store.ts';
import type { BroadcastClips } from '../catalog/index.ts';
import { type FileGenerator, firstOf } from '../delivery/index.ts';
import type { ArrivingUploads } from '../ingest/index.ts';
import { giveUpCut, type WorkerTools } from '../transcode/index.ts';
import { Arrivals } from './arriving/arrivals.ts';
import { followArrivals } from './arriving/follow-arrivals.ts';
import { arrivingFiles } from './arriving/serve-arriving.ts';
import { takeBackUnprocessed } from './arriving/take-back.ts';
import { ChatFeeds } from './chat/chat-feeds.ts';
import { chatFiles } from './chat/serve-chat.ts';
import { broadcastClips } from './clips/broadcast-clips.ts';
import type { ClipTools } from './clips/clip-broadcast.handler.ts';
import { type ClipBroadcast, clipBroadcastJob } from './clips/clip-broadcast.job.ts';
import { answerNodes } from './delivery/answer-nodes.ts';
import { nodeAddress } from './delivery/node-address.ts';
import { NODE_PATH } from './delivery/node-requests.ts';
import { previewPath } from './delivery/preview-address.ts';
import { RemoteFiles } from './delivery/remote-files.ts';
import { liveFiles } from './delivery/serve-live.ts';
import { previewRoutes } from './delivery/serve-preview.ts';
import { EncoderServers } from './encoders/encoder-servers.ts';
import { whipRoutes } from './encoders/whip/serve-whip.ts';
import { LiveBroadcasts } from './ingest/live-broadcasts.ts';
import { LiveJournals } from './journal/live-journals.ts';
import { unrecorded } from './recording/complete-recording.store.ts';
import { followBroadcasts } from './recording/follow-broadcasts.ts';
import { type StoreRecording, storeRecordingJob } from './recording/store-recording.job.ts';
import type { LiveServices } from './services.ts';
import { Simulcasts } from './simulcast/simulcasts.ts';
import { liveThumbnails, type ThumbnailTools } from './thumbnails/live-thumbnails.ts';

export interface LiveDomain {
  /** `services.live` of the engine. */
  readonly services: LiveServices;
  /** What this process receives, for the other processes, where it receives WHIP, and previews. */
  readonly routes: readonly Route[];
  /** Playlists, parts and new segments of broadcasts, and chats. */
  readonly files: FileGenerator;
  /** Listens for encoders; on processes that receive them. */
  listen(): Promise<void>;
  /** Plays uploads while they arrive. */
  readonly arriving: ArrivingUploads;
  /** Of the event log; to be subscribed once. */
  readonly consumers: readonly Consumer[];
  /** Makes clips of broadcasts. */
  readonly clips: BroadcastClips;
  /** Starts following broadcasts; on workers. */
  startWork(): void;
  /** Starts storing recordings, making clips, and taking the pictures of broadcasts; on workers. */
  startMediaWork(tools: WorkerTools): Promise<void>;
  stopMediaWork(): Promise<void>;
  /** Ends the connections of encoders, which may connect again elsewhere. */
  close(): Promise<void>;
}

/** Clips that one worker makes at a time. */
const CLIPS_AT_ONCE = 2;

/** The handler is loaded with the first job. */
function clipHandler(tools: ClipTools): JobHandler<ClipBroadcast> {
  return {
    job: clipBroadcastJob,
    concurrency: CLIPS_AT_ONCE,
    handle: async (order, run) => (await import('./clips/clip-broadcast.handler.ts')).clipBroadcast(tools, order, run),
    giveUp: (order, reason) => giveUpCut(tools.platform, order, reason),
  };
}

function storeRecordingHandler(tools: ThumbnailTools & { readonly platform: Platform }): JobHandler<StoreRecording> {
  const { platform } = tools;
  return {
    job: storeRecordingJob,
    async handle({ broadcastId }, run) {
      const { takeRecordingPoster } = await import('./thumbnails/recording-poster.ts');
      await takeRecordingPoster(tools, broadcastId, run.signal).catch((error: unknown) => {
        run.signal.throwIfAborted();
        platform.log.warn({ broadcastId, error }, 'no picture of a recording could be taken');
      });
      const { storeRecording } = await import('./recording/store-recording.handler.ts');
      await storeRecording(platform, broadcastId, run);
    },
    // It is played from its segments.
    giveUp: async ({ broadcastId }, reason) =>
      platform.log.warn({ broadcastId, error: reason }, 'a recording is not encoded'),
  };
}

/** Live inputs, the broadcasts that they receive, and their recordings. */
export function registerLive(
  platform: Platform & { readonly databaseUrl: string; readonly receiving: ReceivingStore },
  runner: Pick<Runner, 'startProgram'>,
  imageDecoder: () => ImageDecoder,
): LiveDomain {
  const { db, clock, store, secrets, jobs, log, config, databaseUrl } = platform;
  const journals = new LiveJournals(config.DATA_DIR, log);
  const ladder = {
    runner,
    ffmpeg: config.FFMPEG_PATH,
    cores: config.LIVE_SIZES === 'off' ? 0 : availableParallelism(),
  };
  const sockets = createGuardedSockets({ allow: readFetchAllow(config.FETCH_ALLOW) });
  const simulcasts = new Simulcasts({ db, log, secrets, sockets });
  const broadcasts = new LiveBroadcasts({ ...platform, journals, ladder, simulcasts }, nodeAddress(config));
  const follow = followBroadcasts({ ...platform, journals });
  const arriving = new Arrivals({ ...platform, runner, ffmpeg: config.FFMPEG_PATH });
  const arrived = followArrivals(platform);
  let thumbnails: Repeated | null = null;
  const chats = new ChatFeeds({ db, databaseUrl, clock, log });
  const offer = answerNodes(platform, broadcasts);
  const remote = new RemoteFiles(platform);
  const encoders = new EncoderServers(platform, broadcasts, runner);
  return {
    services: {
      ...{ db, clock, store, secrets, jobs, log, journals, sockets },
      rtmpAddress: () => encoders.rtmpAddress,
      rtmpsAddress: () => encoders.rtmpsAddress,
      whipAddress: () => encoders.whip.address,
      previewAddress: (id, nowMs) => config.BASE_URL + previewPath(secrets, id, nowMs),
      srtPorts: () => encoders.srt.ports,
      srtAddress: (port) => encoders.srt.addressOf(port),
    },
    routes: [
      { method: 'GET', path: `${NODE_PATH}*`, handle: (request, response, { url }) => offer(request, response, url) },
      ...whipRoutes(encoders.whip),
      ...previewRoutes(platform, broadcasts, remote),
    ],
    files: firstOf([liveFiles(broadcasts, remote, clock), arrivingFiles(db), chatFiles(chats, config.DID_NAMESPACE)]),
    arriving,
    consumers: [takeBackUnprocessed(clock)],
    clips: broadcastClips({ jobs }),
    async listen() {
      await journals.removeStale((ids) => unrecorded(db, ids));
      await encoders.listen();
    },
    startWork() {
      follow.start();
      arrived.start();
    },
    async startMediaWork({ runner: worker, toneMapping }) {
      const tools = { platform, runner: worker, toneMapping, imageDecoder: imageDecoder() };
      await jobs.work(storeRecordingHandler(tools));
      await jobs.work(clipHandler(tools));
      thumbnails = liveThumbnails(tools);
      thumbnails.start();
    },
    stopMediaWork: async () => thumbnails?.stop(),
    async close() {
      await encoders.close();
      await broadcasts.close();
      await simulcasts.close();
      await arriving.close();
      await arrived.stop();
      await follow.stop();
      await thumbnails?.stop();
      await chats.close();
    },
  };
}
