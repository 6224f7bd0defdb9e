import type { ImageDecoder } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { repeat } from '../../../platform/repeat.ts';
import type { Route } from '../../../platform/routing.ts';
import type { ReceivingStore } from '../../../platform/storage/receiving-store.ts';
import type { ArrivingUploads } from './arriving-uploads.ts';
import { openJoins } from './concatenation/joins.ts';
import type { AuthenticateCreator, RequireContentTakes, UploadDrafts } from './create-upload.ts';
import type { AuthenticateUploader } from './find-upload.ts';
import { UploadLocker } from './locks/upload-lock.ts';
import { sweepIngestions } from './sweep-ingestions.ts';
import { uploadRoutes } from './transfer/uploads.routes.ts';

const SWEEP_MS = 60_000;

export interface UploadsDependencies {
  /** Of the same storage as `platform.store`. */
  readonly receiving: ReceivingStore;
  readonly authenticate: AuthenticateUploader;
  readonly authenticateCreator: AuthenticateCreator;
  readonly requireContentTakes: RequireContentTakes;
  readonly drafts: UploadDrafts;
  /** Default: uploads are not played while they arrive. */
  readonly arriving?: ArrivingUploads | undefined;
}

export interface Uploads {
  readonly routes: Route[];
  /** One sweep; see sweep-ingestions.ts. */
  sweep(): Promise<number>;
  /** Sweeps now and every minute until `stop`. */
  startSweeping(): void;
  /** Waits for the sweep in progress, and interrupts the joining of parts. */
  stop(): Promise<void>;
}

/** Where uploads are received. */
export function registerUploads(
  platform: Pick<Platform, 'clock' | 'config' | 'db' | 'jobs' | 'log' | 'secrets' | 'space' | 'store'>,
  dependencies: UploadsDependencies & { readonly imageDecoder: ImageDecoder },
): Uploads {
  const locker = new UploadLocker(platform.db);
  const joins = openJoins({ ...dependencies, platform, locker });
  const sweep = () => sweepIngestions({ ...dependencies, platform, locker, joins });
  const sweeping = repeat(platform.log, 'uploads could not be swept, will be retried', SWEEP_MS, async () => {
    await sweep();
    return false;
  });
  return {
    routes: uploadRoutes({ ...dependencies, platform, locker, joins }),
    sweep,
    startSweeping: () => sweeping.start(),
    async stop() {
      await sweeping.stop();
      await joins.stop();
    },
  };
}
