/** What other rooms see of assets: media addresses, processing, and what is mounted. */
export { type AddressContext, MASTER_PLAYLIST, mediaAddress, sourceAddress, sourceKey } from './media-address.ts';
export type { PosterImage } from './process-video.handler.ts';
export { type AssetsDependencies, type AssetsDomain, registerAssets, type WorkerTools } from './register.ts';
export {
  type FetchRequest,
  openProcessing,
  type ProcessingRequest,
  type StartedProcessing,
  startFetching,
  startProcessing,
} from './start-processing.ts';
export type { ProcessingState, ProcessingWaiter, WaitOptions } from './wait-for-processing.ts';
