/** What other domains may import from assets: uploads, media addresses, processing and routes. */

export type { UpmixLayout } from '../../media/index.ts';
export { type AssetTypes, declareAssets, declareMediaAssets } from './assets.graphql.ts';
export {
  CAPTIONS_FIELDS,
  CAPTIONS_PROPERTIES,
  type CaptionsChanges,
  type CaptionsInput,
  type CaptionsValues,
  readCaptions,
} from './captions/captions-fields.ts';
export { kindOfContent } from './content-kind.sql.ts';
export { giveClipTexts } from './cutting/clip-texts.ts';
export { requireCuttable, startCutting, startRevert } from './cutting/start-cutting.ts';
export { declareVideoTrim } from './cutting/video-trim.graphql.ts';
export { readMedia } from './delivery/assembled-downloads.ts';
export type { FileGenerator, GeneratedFile } from './delivery/generated-media.ts';
export {
  type AddressContext,
  MASTER_PLAYLIST,
  mediaAddress,
  sourceAddress,
  sourceKey,
} from './delivery/media-address.ts';
export { beginObject } from './delivery/send-media.ts';
export { type SourceDownload, sourceDownloadOf } from './delivery/source-download.ts';
export { playableVideo } from './delivery/visibility.sql.ts';
export { ERROR_FIELD } from './error-field.graphql.ts';
export { choosePoster, type PosterChoice } from './images/choose-poster.ts';
export type { PosterRequest } from './images/fetch-poster.ts';
export type { FetchRemoteImage } from './images/fetch-remote-image.ts';
export { type ResizedImage, resizeImage } from './images/image-resize.ts';
export { giveUpNewestOriginal } from './originals/drop-originals.ts';
export { avatarKeyOf } from './owned-assets.sql.ts';
export { cancelJobWrites } from './processing/cancel-job.store.ts';
export { isOrderedJob, isProcessingJob } from './processing/jobs.sql.ts';
export { processAgainCommand } from './processing/process-again.command.ts';
export { type WatchedProgress, watchProgress } from './processing/report-progress.ts';
export {
  type FetchRequest,
  openProcessing,
  type ProcessingRequest,
  type StartedProcessing,
  startFetching,
  startProcessing,
} from './processing/start-processing.ts';
export { isUnderWay, newestTranscodeJob } from './processing/transcode-jobs.store.ts';
export { playlistAddress } from './processing/video-asset.graphql.ts';
export type { ProcessingState, ProcessingWaiter, WaitOptions } from './processing/wait-for-processing.ts';
export { type WorkFolders, workFolders } from './processing/work-folders.ts';
export { readStorage } from './quota/channel-storage.store.ts';
export { LIST_STORAGE_COMMAND } from './quota/list-storage.command.ts';
export { type AssetsDomain, registerAssets, type WorkerTools } from './register.ts';
export { manifestPrefix, playableManifest } from './renditions/renditions.sql.ts';
export { type AssetsServices, assetsServices } from './services.ts';
export { declareCaptionsJobs } from './speech/captions-jobs.graphql.ts';
export { estimateTranscription } from './speech/estimate-transcription.ts';
export { autonymOf } from './speech/language-names.ts';
export { readTranscription, startTranscription } from './speech/order-transcription.ts';
export { estimateTranslation, readTranslation, startTranslation } from './speech/order-translation.ts';
export type { RequireContentTakes, UploadDrafts } from './uploads/create-upload.ts';
export { curlCommand } from './uploads/curl-command.ts';
export type { FetchSource } from './uploads/fetch-source.job.ts';
export {
  contentTypeOf,
  IMAGE_PRESENTATIONS,
  IMAGE_PURPOSES,
  type ImagePresentation,
  type ImagePurpose,
  type UploadedMedia,
  VIDEO_CONTENT_TYPES,
  type VideoContentType,
  type VideoHint,
  type VideoPresentation,
} from './uploads/media-hints.ts';
export {
  type IngestionRequest,
  type OpenedIngestion,
  type OpenIngestionTools,
  openIngestion,
} from './uploads/open-ingestion.ts';
export type { UploadsDependencies } from './uploads/register-uploads.ts';
export { requireSize } from './uploads/upload-input.ts';
export { newestVideoUpload, type VideoUpload } from './uploads/video-uploads.store.ts';
export { estimateUpmix } from './upmix/estimate-upmix.ts';
export { removeUpmix, startUpmix } from './upmix/order-upmix.ts';
export { estimateUpscale } from './upscale/estimate-upscale.ts';
export { removeUpscale, startUpscale, type UpscaleInput } from './upscale/order-upscale.ts';
export { VERIFY_MEDIA_COMMAND } from './verification/verify-media.command.ts';
export { orderWaveform } from './waveforms/order-waveform.ts';
export { declareWaveform } from './waveforms/waveform.graphql.ts';
