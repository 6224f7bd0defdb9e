/** What other domains may import from ingest: uploads, and files that are fetched. */

export { choosePoster, type PosterChoice } from './images/choose-poster.ts';
export type { PosterRequest } from './images/fetch-poster.ts';
export type { FetchRemoteImage } from './images/fetch-remote-image.ts';
export { declareIngest, type IngestTypes, type MediaTypes } from './ingest.graphql.ts';
export { type IngestDomain, registerIngest } from './register.ts';
export type { FetchSource } from './remote/fetch-source.job.ts';
export { type FetchRequest, startFetching } from './remote/start-fetching.ts';
export { type IngestServices, ingestServices } from './services.ts';
export type { ArrivingUploads, FinishedUpload } from './uploads/arriving-uploads.ts';
export type { RequireContentTakes, UploadDrafts } from './uploads/create-upload.ts';
export { curlCommand } from './uploads/curl-command.ts';
export { findIngestion, type Ingestion, lockIngestion } from './uploads/ingestions.store.ts';
export {
  type IngestionRequest,
  type OpenedIngestion,
  type OpenIngestionTools,
  openIngestion,
} from './uploads/open-ingestion.ts';
export type { UploadsDependencies } from './uploads/register-uploads.ts';
export { MAX_DEFERRED_BYTES, requireSize } from './uploads/upload-input.ts';
export { newestVideoUpload, type VideoUpload } from './uploads/video-uploads.store.ts';
