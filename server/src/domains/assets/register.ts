import { type DecoderRunner, type ImageDecoder, openImageDecoder } from '../../media/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { repeat } from '../../platform/repeat.ts';
import type { ReceivingStore } from '../../platform/storage/receiving-store.ts';
import { type ResizedImage, resizeImage } from './images/image-resize.ts';
import { type RenderedLogo, renderLogo } from './images/render-logo.ts';
import { dropOriginals } from './originals/drop-originals.ts';
import { sweepObjects } from './quota/sweep-objects.ts';
import { workFolders } from './work-folders.ts';

export interface AssetsDomain {
  readonly imageDecoder: ImageDecoder;
  /** The image in a file, scaled down. See image-resize.ts. */
  resizeImage(path: string, side: number): Promise<ResizedImage>;
  /** The logo in a file, as a PNG. See render-logo.ts. */
  renderLogo(file: Buffer): Promise<RenderedLogo>;
  /** Removes leftovers of killed workers of this machine, and of deleted contents. */
  startWork(): Promise<void>;
  close(): Promise<void>;
}

const SWEEP_OBJECTS_MS = 10_000;

export interface AssetsDependencies {
  /** Of the same storage as `platform.store`. */
  readonly receiving: ReceivingStore;
  /** The image decoder. */
  readonly runner: DecoderRunner;
}

/** Stored files: images, originals and what is deleted. */
export function registerAssets(platform: Platform, { receiving, runner }: AssetsDependencies): AssetsDomain {
  const imageDecoder = openImageDecoder(runner, {
    onError: (error) => platform.log.warn({ error }, 'an image could not be decoded safely'),
  });
  platform.events.subscribe(dropOriginals(platform.clock));
  const objects = repeat(platform.log, 'objects could not be swept, will be retried', SWEEP_OBJECTS_MS, () =>
    sweepObjects({ platform, receiving }),
  );
  const folders = workFolders(platform.config.DATA_DIR, platform.log);
  return {
    imageDecoder,
    resizeImage: (path, side) => resizeImage(imageDecoder, path, side),
    renderLogo: (file) => renderLogo(imageDecoder, folders, file),
    async startWork() {
      await folders.sweep();
      objects.start();
    },
    async close() {
      await objects.stop();
      await imageDecoder.close();
    },
  };
}
