import type { Platform } from '../../platform/platform.ts';
import type { FileGenerator } from '../delivery/index.ts';
import { liveFiles } from './delivery/serve-live.ts';
import { EncoderServers } from './ingest/encoder-servers.ts';
import { LiveBroadcasts } from './ingest/live-broadcasts.ts';
import { followBroadcasts } from './recording/follow-broadcasts.ts';
import { storeRecordingJob } from './recording/store-recording.job.ts';
import type { LiveServices } from './services.ts';

export interface LiveDomain {
  /** `services.live` of the engine. */
  readonly services: LiveServices;
  /** Playlists, parts and new segments of broadcasts. */
  readonly files: FileGenerator;
  /** Listens for encoders; on processes that receive them. */
  listen(): Promise<void>;
  /** Starts following broadcasts, and storing recordings; on workers. */
  startWork(): Promise<void>;
  /** Ends the connections of encoders, which may connect again elsewhere. */
  close(): Promise<void>;
}

/** Live inputs, the broadcasts that they receive, and their recordings. */
export function registerLive(platform: Platform): LiveDomain {
  const { db, clock, store, secrets, jobs, log } = platform;
  const broadcasts = new LiveBroadcasts(platform);
  const follow = followBroadcasts(platform);
  const encoders = new EncoderServers(platform, broadcasts);
  return {
    services: {
      ...{ db, clock, store, secrets, jobs },
      rtmpAddress: () => encoders.rtmpAddress,
      rtmpsAddress: () => encoders.rtmpsAddress,
    },
    files: liveFiles(broadcasts),
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
    },
  };
}
