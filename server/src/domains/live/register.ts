import { hostOf } from '../../platform/config/listen-hosts.ts';
import type { Platform } from '../../platform/platform.ts';
import type { FileGenerator } from '../delivery/index.ts';
import { liveFiles } from './delivery/serve-live.ts';
import { LiveBroadcasts } from './ingest/live-broadcasts.ts';
import { RtmpServer } from './ingest/rtmp-server.ts';
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

/** Of RTMP. */
const DEFAULT_PORT = 1_935;

/** Live inputs, the broadcasts that they receive, and their recordings. */
export function registerLive(platform: Platform): LiveDomain {
  const { config, db, clock, store, secrets, jobs, log } = platform;
  const broadcasts = new LiveBroadcasts(platform);
  const follow = followBroadcasts(platform);
  const rtmp = new RtmpServer({ platform, broadcasts });
  let port: number | null = null;
  return {
    services: {
      ...{ db, clock, store, secrets, jobs },
      rtmpAddress: () => config.RTMP_URL ?? (port === null ? null : `rtmp://${hostIn(config.BASE_URL)}:${port}/live`),
    },
    files: liveFiles(broadcasts),
    async listen() {
      const { RTMP_PORT, listenHosts } = config;
      if (RTMP_PORT === 'off') return;
      const [first = '127.0.0.1', ...others] = listenHosts;
      const hosts = [first, ...others] as const;
      port = await rtmp.listen(RTMP_PORT ?? DEFAULT_PORT, hosts).catch((error: unknown) => {
        if (RTMP_PORT !== undefined || !isInUse(error)) throw error;
        log.warn({ port: DEFAULT_PORT }, 'another program has the port of RTMP; a free one is used, see RTMP_PORT');
        return rtmp.listen(0, hosts);
      });
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
      await rtmp.close();
      await broadcasts.close();
      await follow.stop();
    },
  };
}

/** The host of an address, as a part of another one. */
function hostIn(url: string): string {
  const host = hostOf(url);
  return host.includes(':') ? `[${host}]` : host;
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
