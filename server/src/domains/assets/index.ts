/** What other domains may import from assets: stored files, their addresses, quotas and images. */

export type { AssetEnums } from './asset-enums.graphql.ts';
export { type AssetTypes, declareAssets, declareMediaAssets } from './assets.graphql.ts';
export {
  captionsFile,
  type FoundCaptions,
  type OfferedCaptions,
  offeredCaptions,
  replaceFoundCaptions,
} from './captions/captions.store.ts';
export {
  CAPTIONS_FIELDS,
  CAPTIONS_PROPERTIES,
  type CaptionsChanges,
  type CaptionsInput,
  type CaptionsValues,
  readCaptions,
} from './captions/captions-fields.ts';
export { convertedCaptions } from './captions/convert-captions.ts';
export { readFoundCaptions } from './captions/embedded-captions.ts';
export { kindOfContent } from './content-kind.sql.ts';
export { ERROR_FIELD } from './error-field.graphql.ts';
export { isChangingImage } from './images/image-plan.ts';
export { type ResizedImage, resizeImage } from './images/image-resize.ts';
export { showLivePoster } from './images/live-poster.ts';
export { hasChosenPicture } from './images/live-posters.sql.ts';
export { lockContentForFrame } from './images/live-posters.store.ts';
export { completeRequestId, frameRequestId } from './images/poster-frame-ids.ts';
export {
  choosePosterImage,
  endPosterRequest,
  forgetPosterRequest,
  isPosterShown,
  isPosterWanted,
  lockContentWithoutPoster,
  newestPlayableVideo,
  requestPoster,
  setThumbnailAside,
  withdrawPosterRequest,
} from './images/posters.store.ts';
export {
  discardImage,
  type ImagePlatform,
  type ImageTools,
  keepImage,
  keepOrDiscard,
  type RenderedImage,
  renderImage,
} from './images/process-image.ts';
export {
  type AddressContext,
  ARRIVING_NAME,
  arrivingPrefix,
  CHAT_FILE,
  COPIED_SOUND_NAME,
  COPY_NAME,
  chatKeyOf,
  copiedSoundPrefix,
  copyPrefix,
  DASH_MANIFEST,
  type DownloadFile,
  encryptedPath,
  type Lease,
  leasedAddress,
  MASTER_PLAYLIST,
  type MediaPermission,
  type MediaTarget,
  type MediaToken,
  MediaTokens,
  mediaAddress,
  mediaSubject,
  nameOfPackage,
  ON_DEMAND_SUFFIX,
  onDemandFolder,
  onDemandPrefix,
  packagePrefix,
  parseMediaPath,
  sourceAddress,
  sourceKey,
  videoPrefix,
} from './media-address.ts';
export {
  contentTypeOf,
  IMAGE_PRESENTATIONS,
  IMAGE_PURPOSES,
  type ImagePresentation,
  type ImagePurpose,
  type UploadedMedia,
  VIDEO_CONTENT_TYPES,
  VIDEO_HINTS,
  type VideoContentType,
  type VideoHint,
  type VideoPresentation,
} from './media-hints.ts';
export { giveUpNewestOriginal, giveUpOriginal } from './originals/drop-originals.ts';
export { keepsOriginals } from './originals/originals.store.ts';
export { originalDeleted, requireOriginal } from './originals/require-original.ts';
export { avatarKeyOf } from './owned/owned-assets.sql.ts';
export { readStorage } from './quota/channel-storage.store.ts';
export { chargeCredits } from './quota/charge-credits.ts';
export { chargeMinutes } from './quota/charge-minutes.ts';
export { limitsOfViewer } from './quota/credits.graphql.ts';
export { deleteObject } from './quota/delete-object.ts';
export { refundCredits } from './quota/generation-charges.sql.ts';
export { moveCharge, refundCharge } from './quota/generation-charges.store.ts';
export { creditsFor } from './quota/generation-credits.policy.ts';
export { LIST_STORAGE_COMMAND } from './quota/list-storage.command.ts';
export {
  isSegmentPurgePending,
  orderObjectPurge,
  orderSegmentPurge,
  PURGES_LOCK,
  withdrawObjectPurge,
  withdrawSegmentPurge,
} from './quota/object-purges.store.ts';
export { checkStorageQuota, monthOf, nextMonthMs, remainingBytes } from './quota/quota.policy.ts';
export { availableSpace, requireAnySpace, requireSpace, reserveForJob } from './quota/reserve-space.ts';
export { derivedInUse, writeJobReservation } from './quota/storage-space.store.ts';
export { refundCharges } from './quota/upload-charges.sql.ts';
export { type AssetsDependencies, type AssetsDomain, registerAssets } from './register.ts';
export { deleteMediaIndex, insertMediaIndex, type MediaIndex, mediaIndexOf } from './renditions/media-indexes.store.ts';
export { dashManifestOf, isSentEncrypted, manifestPrefix, playableManifest } from './renditions/renditions.sql.ts';
export {
  addRenditions,
  completeRenditions,
  type OfferedRenditions,
  offeredRenditions,
  readRenditions,
  renditionsOfVideo,
  replaceRenditions,
} from './renditions/renditions.store.ts';
export { type WatchedProgress, watchProgress } from './report-progress.ts';
export { type AssetsServices, assetsServices } from './services.ts';
export { watchSpace } from './space-monitor.ts';
export { ByteCache, type Sized } from './stored/byte-cache.ts';
export { cutIndexed, indexedSamples, readIndex, type SegmentIndex } from './stored/copied-segments.ts';
export { followSource, isIndexKey, isOfStoredSource } from './stored/index-source.ts';
export { rangesOf, storedBytes } from './stored/stored-bytes.ts';
export { isArriving, playsWhatArrived } from './videos/arriving.sql.ts';
export { checkDerivedQuota, derivedLimitOfVideo } from './videos/derived.policy.ts';
export { packageAddress, playlistAddress } from './videos/video-asset.graphql.ts';
export {
  adoptFile,
  completeLiveVideo,
  insertArrivingVideo,
  insertLiveVideo,
  insertVideoAsset,
  lockContentOfVideo,
  markContentProcessing,
  markVideoReady,
  type NewVideoAsset,
  newestVideoAsset,
  noteDamage,
  noteMissing,
  noteSourceOfLive,
  type PackagedFacts,
  removeReplacedVideos,
  removeVideoAsset,
  setContentLayout,
  type VideoEdit,
  type VideoSourceFacts,
  videoSourceFacts,
} from './videos/video-assets.store.ts';
export { isOpenContent, mediaPermission, playableVideo } from './visibility.sql.ts';
export { type WorkFolders, workFolders } from './work-folders.ts';
