import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import type { ReceivingStore } from '../../platform/storage/receiving-store.ts';
import type { AuthenticateUploader } from './find-upload.ts';
import { sweepIngestions } from './sweep-ingestions.ts';
import { UploadLocker } from './upload-lock.ts';
import { uploadRoutes } from './uploads.routes.ts';

const SWEEP_MS = 60_000;

export interface UploadsDependencies {
  /** Of the same storage as `platform.store`. */
  readonly receiving: ReceivingStore;
  readonly authenticate: AuthenticateUploader;
}

export interface Uploads {
  readonly routes: Route[];
  /** One sweep; see sweep-ingestions.ts. */
  sweep(): Promise<number>;
  /** Sweeps every minute until `stop`. */
  startSweeping(): void;
  /** Waits for the sweep in progress. */
  stop(): Promise<void>;
}

/** The door files come in by. */
export function registerUploads(
  platform: Pick<Platform, 'clock' | 'config' | 'db' | 'jobs' | 'log' | 'secrets' | 'store'>,
  { receiving, authenticate }: UploadsDependencies,
): Uploads {
  const locker = new UploadLocker(platform.db);
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<unknown> = Promise.resolve();
  const sweep = () => sweepIngestions({ platform, receiving, locker });
  return {
    routes: uploadRoutes({ platform, receiving, locker, authenticate }),
    sweep,
    startSweeping() {
      let busy = false;
      timer ??= setInterval(() => {
        if (busy) return;
        busy = true;
        running = sweep()
          .catch((error: unknown) => platform.log.warn({ error }, 'uploads could not be swept, will be tried again'))
          .finally(() => {
            busy = false;
          });
      }, SWEEP_MS);
      timer.unref();
    },
    async stop() {
      if (timer) clearInterval(timer);
      timer = null;
      await running;
    },
  };
}
