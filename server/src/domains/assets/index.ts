/** What other rooms see of assets: uploads, media addresses, processing, and what is mounted. */

export { type AssetTypes, declareAssets, declareContentAssets } from './assets.graphql.ts';
export { choosePoster, type PosterChoice } from './choose-poster.ts';
export type { RequireContentTakes } from './create-upload.ts';
export { curlCommand } from './curl-command.ts';
export type { PictureRequest } from './fetch-picture.ts';
export type { FetchSource } from './fetch-source.job.ts';
export type { MadeFile, MakeFile } from './made-file.ts';
export { type AddressContext, MASTER_PLAYLIST, mediaAddress, sourceAddress, sourceKey } from './media-address.ts';
export { type IngestionRequest, type OpenedIngestion, type OpenIngestionTools, openIngestion } from './open-ingestion.ts';
export type { PictureAtAddress } from './picture-at-address.ts';
export { type AssetsDomain, registerAssets, type WorkerTools } from './register.ts';
export type { UploadsDependencies } from './register-uploads.ts';
export { type AssetsServices, assetsServices } from './services.ts';
export { readSmallPicture, type SmallPicture } from './small-picture.ts';
export {
  type FetchRequest,
  openProcessing,
  type ProcessingRequest,
  type StartedProcessing,
  startFetching,
  startProcessing,
} from './start-processing.ts';
export { newestTranscodeJob } from './transcode-jobs.store.ts';
export { IMAGE_PURPOSES, type ImagePurpose, type UploadedMedia, VIDEO_CONTENT_TYPES, type VideoContentType } from './upload-input.ts';
export { newestVideoUpload, type VideoUpload } from './video-uploads.store.ts';
export { playableVideo } from './visibility.ts';
export type { ProcessingState, ProcessingWaiter, WaitOptions } from './wait-for-processing.ts';
export { type WatchedProgress, watchProgress } from './watched-progress.ts';
export { type WholeFile, wholeFileOf } from './whole-file.ts';
export { type WorkFolders, workFolders } from './work-folders.ts';
