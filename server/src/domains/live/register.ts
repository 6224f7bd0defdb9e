import type { Runner } from '../../media/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type FileGenerator, firstOf } from '../delivery/index.ts';
import { ChatFeeds } from './chat/chat-feeds.ts';
import { chatFiles } from './chat/serve-chat.ts';
import { liveFiles } from './delivery/serve-live.ts';
import { EncoderServers } from './ingest/encoder-servers.ts';
import { LiveBroadcasts } from './ingest/live-broadcasts.ts';
import { followBroadcasts } from './recording/follow-broadcasts.ts';
import { storeRecordingJob } from './recording/store-recording.job.ts';
import type { LiveServices } from './services.ts';

export interface LiveDomain {
  /** `services.live` of the engine. */
  readonly services: LiveServices;
  /** Playlists, parts and new segments of broadcasts, and chats. */
  readonly files: FileGenerator;
  /** Listens for encoders; on processes that receive them. */
  listen(): Promise<void>;
  /** Starts following broadcasts, and storing recordings; on workers. */
  startWork(): Promise<void>;
  /** Ends the connections of encoders, which may connect again elsewhere. */
  close(): Promise<void>;
}

/** Live inputs, the broadcasts that they receive, and their recordings. */
export function registerLive(
  platform: Platform & { readonly databaseUrl: string },
  runner: Pick<Runner, 'startProgram'>,
): LiveDomain {
  const { db, clock, store, secrets, jobs, log, config, databaseUrl } = platform;
  const broadcasts = new LiveBroadcasts(platform);
  const follow = followBroadcasts(platform);
  const chats = new ChatFeeds({ db, databaseUrl, clock, log });
  const encoders = new EncoderServers(platform, broadcasts, runner);
  return {
    services: {
      ...{ db, clock, store, secrets, jobs },
      rtmpAddress: () => encoders.rtmpAddress,
      rtmpsAddress: () => encoders.rtmpsAddress,
      srtPorts: () => encoders.srt.ports,
      srtAddress: (port) => encoders.srt.addressOf(port),
    },
    files: firstOf([liveFiles(broadcasts), chatFiles(chats, config.DID_NAMESPACE)]),
    async listen() {
      await encoders.listen();
      broadcasts.start();
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
    async close() {
      await encoders.close();
      await broadcasts.close();
      await follow.stop();
      await chats.close();
    },
  };
}
