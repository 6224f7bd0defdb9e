import { availableParallelism } from 'node:os';
import type { Runner } from '../../media/index.ts';
import type { JobHandler } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import type { BroadcastClips } from '../catalog/index.ts';
import { type FileGenerator, firstOf } from '../delivery/index.ts';
import { giveUpCut, type WorkerTools } from '../transcode/index.ts';
import { ChatFeeds } from './chat/chat-feeds.ts';
import { chatFiles } from './chat/serve-chat.ts';
import { broadcastClips } from './clips/broadcast-clips.ts';
import type { ClipTools } from './clips/clip-broadcast.handler.ts';
import { type ClipBroadcast, clipBroadcastJob } from './clips/clip-broadcast.job.ts';
import { answerNodes } from './delivery/answer-nodes.ts';
import { nodeAddress } from './delivery/node-address.ts';
import { NODE_PATH } from './delivery/node-requests.ts';
import { RemoteFiles } from './delivery/remote-files.ts';
import { liveFiles } from './delivery/serve-live.ts';
import { EncoderServers } from './encoders/encoder-servers.ts';
import { whipRoutes } from './encoders/whip/serve-whip.ts';
import { LiveBroadcasts } from './ingest/live-broadcasts.ts';
import { LiveJournals } from './journal/live-journals.ts';
import { unrecorded } from './recording/complete-recording.store.ts';
import { followBroadcasts } from './recording/follow-broadcasts.ts';
import { storeRecordingJob } from './recording/store-recording.job.ts';
import type { LiveServices } from './services.ts';

export interface LiveDomain {
  /** `services.live` of the engine. */
  readonly services: LiveServices;
  /** What this process receives, for the other processes, and where it receives WHIP. */
  readonly routes: readonly Route[];
  /** Playlists, parts and new segments of broadcasts, and chats. */
  readonly files: FileGenerator;
  /** Listens for encoders; on processes that receive them. */
  listen(): Promise<void>;
  /** Makes clips of broadcasts. */
  readonly clips: BroadcastClips;
  /** Starts following broadcasts, and storing recordings; on workers. */
  startWork(): Promise<void>;
  /** Starts making clips; on workers. */
  startMediaWork(tools: WorkerTools): Promise<void>;
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

/** Live inputs, the broadcasts that they receive, and their recordings. */
export function registerLive(
  platform: Platform & { readonly databaseUrl: string },
  runner: Pick<Runner, 'startProgram'>,
): LiveDomain {
  const { db, clock, store, secrets, jobs, log, config, databaseUrl } = platform;
  const journals = new LiveJournals(config.DATA_DIR, log);
  const ladder = {
    runner,
    ffmpeg: config.FFMPEG_PATH,
    cores: config.LIVE_SIZES === 'off' ? 0 : availableParallelism(),
  };
  const broadcasts = new LiveBroadcasts({ ...platform, journals, ladder }, nodeAddress(config));
  const follow = followBroadcasts({ ...platform, journals });
  const chats = new ChatFeeds({ db, databaseUrl, clock, log });
  const offer = answerNodes(platform, broadcasts);
  const encoders = new EncoderServers(platform, broadcasts, runner);
  return {
    services: {
      ...{ db, clock, store, secrets, jobs, log, journals },
      rtmpAddress: () => encoders.rtmpAddress,
      rtmpsAddress: () => encoders.rtmpsAddress,
      whipAddress: () => encoders.whip.address,
      srtPorts: () => encoders.srt.ports,
      srtAddress: (port) => encoders.srt.addressOf(port),
    },
    routes: [
      { method: 'GET', path: `${NODE_PATH}*`, handle: (request, response, { url }) => offer(request, response, url) },
      ...whipRoutes(encoders.whip),
    ],
    files: firstOf([liveFiles(broadcasts, new RemoteFiles(platform), clock), chatFiles(chats, config.DID_NAMESPACE)]),
    clips: broadcastClips({ jobs }),
    async listen() {
      await journals.removeStale((ids) => unrecorded(db, ids));
      await encoders.listen();
    },
    async startWork() {
      follow.start();
      await jobs.work({
        job: storeRecordingJob,
        handle: async ({ broadcastId }, run) =>
          (await import('./recording/store-recording.handler.ts')).storeRecording(platform, broadcastId, run),
        // It is played from its segments.
        giveUp: async ({ broadcastId }, reason) =>
          log.warn({ broadcastId, error: reason }, 'a recording is not encoded'),
      });
    },
    startMediaWork: ({ runner: worker, toneMapping }) =>
      jobs.work(clipHandler({ platform, runner: worker, toneMapping })),
    async close() {
      await encoders.close();
      await broadcasts.close();
      await follow.stop();
      await chats.close();
    },
  };
}
