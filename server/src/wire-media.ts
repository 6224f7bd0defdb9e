import { type AssetsDomain, registerAssets } from './domains/assets/index.ts';
import { type DeliveryDependencies, deliveryRoutes } from './domains/delivery/index.ts';
import { loadAdditions, registerEnhance } from './domains/enhance/index.ts';
import { type IngestDomain, registerIngest, type UploadsDependencies } from './domains/ingest/index.ts';
import { registerTranscode, type TranscodeDomain, type WorkerTools } from './domains/transcode/index.ts';
import type { DecoderRunner } from './media/index.ts';
import type { Platform } from './platform/platform.ts';
import type { Route } from './platform/routing.ts';

/** The domains that files go through, from their first byte to the screen, as one. */
export interface MediaDomains
  extends Pick<AssetsDomain, 'resizeImage' | 'renderLogo' | 'imageDecoder'>,
    Pick<IngestDomain, 'checkSourceUrl' | 'fetchRemoteImage' | 'sourceHandler' | 'fetchPoster'>,
    Pick<TranscodeDomain, 'waiter' | 'running'> {
  readonly routes: Route[];
  /** Removes leftovers of killed workers of this machine, of abandoned uploads and of deleted contents. */
  startWork(): Promise<void>;
  /** Runs the jobs of these domains, which all read users' files. */
  startMediaWork(tools: WorkerTools): Promise<void>;
  /** Gives chunks that are being encoded here back to other workers. */
  stopMediaWork(): Promise<void>;
  /** Ends waits, downloads, sweeps and the image decoder. */
  close(): Promise<void>;
}

export interface MediaDependencies extends UploadsDependencies, DeliveryDependencies {
  /** The image decoder. */
  readonly runner: DecoderRunner;
}

/** Connects the domains that files go through. */
export function wireMedia(
  platform: Platform & { readonly databaseUrl: string },
  dependencies: MediaDependencies,
): MediaDomains {
  const assets = registerAssets(platform, dependencies);
  const { imageDecoder, resizeImage, renderLogo } = assets;
  const transcode = registerTranscode(platform, { imageDecoder, additions: loadAdditions });
  const ingest = registerIngest(platform, { ...dependencies, imageDecoder });
  const enhance = registerEnhance(platform);
  const { checkSourceUrl, fetchRemoteImage, sourceHandler, fetchPoster } = ingest;
  const stopMediaWork = async () => {
    await transcode.stopMediaWork();
    await enhance.stopMediaWork();
  };
  return {
    ...{ imageDecoder, resizeImage, renderLogo, checkSourceUrl, fetchRemoteImage, sourceHandler, fetchPoster },
    routes: [...ingest.routes, ...deliveryRoutes(platform, dependencies)],
    waiter: transcode.waiter,
    running: transcode.running,
    async startWork() {
      await assets.startWork();
      ingest.startWork();
      enhance.startWork();
      transcode.startWork();
    },
    async startMediaWork(found) {
      const models = await enhance.startMediaWork(found.runner);
      await transcode.startMediaWork(found, models);
      await ingest.startMediaWork(found);
    },
    stopMediaWork,
    async close() {
      await stopMediaWork();
      await transcode.close();
      await ingest.close();
      await enhance.close();
      await assets.close();
    },
  };
}
