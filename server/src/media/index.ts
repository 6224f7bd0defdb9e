/** Inspects media files, plans and creates their packages, and runs programs on them in the sandbox. */

export type { AudioPiece, SpokenText, Transcript } from '@reelgraph/captions';
export {
  CaptionsError,
  type Cue,
  captionsText,
  escapedCues,
  plainText,
  readCaptionsFile,
  readTranslations,
  readVerboseJson,
  readWhisperJson,
  recognizerCode,
  setCaptions,
  setTranslated,
  subRipText,
  TranscriptError,
  titlesText,
} from '@reelgraph/captions';
export {
  type AddedSubtitle,
  type DashText,
  isIframePlaylist,
  singleSegmentPlaylist,
  subtitleNames,
  withDashText,
  withSubtitles,
} from '@reelgraph/manifests';
export type { SampleIndex } from '@reelgraph/mp4';
export {
  cutSegment,
  directoryBytes,
  HEAD_BYTES,
  isCutOff,
  Mp4Error,
  readBlock,
  readDirectory,
  replaceSource,
  type SegmentDirectory,
  SOUND_TRACK,
} from '@reelgraph/mp4';
export type { RunLimits } from '@reelgraph/sandbox';
export {
  DEFAULT_PATH,
  findExecutable,
  inputArg,
  isComplete,
  PROTECTIONS,
  type ProgramOptions,
  type Protection,
  packagesOf,
  RunError,
  type RunErrorReason,
  type RunOptions,
  type RunResult,
  removeTree,
  type SandboxedChild,
  type SandboxMethod,
  type SandboxStatus,
} from '@reelgraph/sandbox';
export {
  checkSpeechModel,
  isSpeechEngineInstalled,
  recognizeSpeech,
  SpeechError,
} from '@reelgraph/speech';
export type { UpmixLayout } from '@reelgraph/upmix';
export { gainOf, type UpmixFigures } from '@reelgraph/upmix';
export {
  type GateFigures,
  type GpuFiles,
  gpuFiles,
  isOwnModel,
  isUpscalerInstalled,
  MODEL_VERSION,
  MOST_MODEL_BYTES,
  type ModelFacts,
  type ModelName,
  NO_GPU,
  type OperatorModel,
  openUpscaler,
  PROVIDERS,
  type Provider,
  sceneAt,
  UPSCALE_MODELS,
  UpscaleError,
  type Upscaler,
} from '@reelgraph/upscale';
export { extractSpeech } from './captions/extract-speech.ts';
export { extractWaveform } from './captions/extract-waveform.ts';
export type { Waveform } from './captions/waveform.ts';
export {
  type CopyPlan,
  firstSamplesOf,
  firstSegmentOf,
  INDEX_FOLDER,
  INDEX_PATH,
  SOUND_PATH,
  type StandardPlan,
  withSource,
} from './copy/copy-package.ts';
export { planCopyOf, type StoredSource } from './copy/plan-copy.ts';
export { cutFile } from './cut/cut-file.ts';
export { type FilePart, joinFiles } from './cut/join-files.ts';
export {
  composeRanges,
  keepChapters,
  keepCues,
  restoreChapters,
  restoreCues,
  type TimeRange,
} from './cut/ranges.ts';
export {
  type CopiedSound,
  describeCopiedSound,
  encodeCopiedSound,
  readCopiedSound,
} from './encode/copied-sound.ts';
export { type EncodeChunkOptions, encodeChunk } from './encode/encode-chunk.ts';
export { streamsTooLarge, UnexpectedMediaError } from './encode/encode-errors.ts';
export { defaultLimits, expectedPackageBytes } from './encode/encode-limits.ts';
export {
  chunkCostsMs,
  type EncodeChunk,
  type EncodePlan,
  finishCostMs,
  layoutOf,
  peakBytes,
  planEncode,
  planVersion,
} from './encode/encode-plan.ts';
export { encodeSegment } from './encode/encode-segment.ts';
export {
  type EncodedChunk,
  type EncodedPart,
  IFRAMES_NAME,
  INIT_NAME,
  PLAYLIST_NAME,
  segmentName,
} from './encode/encoded.ts';
export { describeOnDemand, type OnDemand, planOnDemand } from './encode/on-demand.ts';
export { type OutputKey, outputKeys } from './encode/output-keys.ts';
export { costShare, hasSameSizes, omittedSizes, sampleChunks, sizesForTitle } from './encode/per-title.ts';
export { planCodec } from './encode/plan-codec.ts';
export { dispensableSizes, placeOfSize, singleSegment } from './encode/single-segments.ts';
export { sizesApart } from './encode/sizes-apart.ts';
export { FaultyEncodingError, faultText } from './encode/verify/faulty-encoding.ts';
export { gateSeconds, gateSource } from './enhance/gate-source.ts';
export { type DeliveredFrame, measureDelivered } from './enhance/measure-delivered.ts';
export { measureSource } from './enhance/measure-source.ts';
export { planUpmix } from './enhance/plan-upmix.ts';
export {
  OWN_FACTORS,
  planUpscale,
  UPSCALE_TARGETS,
  type UpscaleTarget,
  upscaleTargets,
} from './enhance/plan-upscale.ts';
export { type MeasuredProvider, type ProbedModel, probeModel } from './enhance/probe-model.ts';
export { decodableFile } from './images/decodable-file.ts';
export { DECODER_PROGRAM } from './images/decoder-files.ts';
export { ImageDecoder } from './images/image-decoder.ts';
export { ImageError, type ImageErrorReason } from './images/image-error.ts';
export type {
  ImageFacts,
  ImageFormat,
  ImageOutput,
  RenderPlan,
  SourceImage,
} from './images/image-process.ts';
export { type DecoderRunner, MAX_IMAGE_PIXELS, openImageDecoder } from './images/open-image-decoder.ts';
export { IMAGE_SNIFF_BYTES, type SniffedImage, sniffImage } from './images/sniff-image.ts';
export { DEFAULT_MEDIA_LIMITS, type MediaLimits } from './inspect/accept-media.ts';
export { isAnimation } from './inspect/animation-times.ts';
export { formatFraction, parseFraction, toNumber } from './inspect/fraction.ts';
export { type Inspection, type InspectOptions, inspectFile, isFileError } from './inspect/inspect-file.ts';
export type { Loudness } from './inspect/measure-loudness.ts';
export type { AudioFacts, MediaFacts, SubtitleFacts, VideoFacts } from './inspect/media-facts.ts';
export { SNIFF_BYTES, type SniffResult, sniff } from './inspect/sniff/sniff.ts';
export { type Ladder, planLadder, rungsOf, type VideoRung } from './ladder/ladder.ts';
export { type LiveRung, liveRungArgs, liveRungs } from './ladder/live-rungs.ts';
export { ADDED_CODECS, type AddedCodec } from './ladder/video-codecs.ts';
export { dashReferences, type ManifestReferences, playlistReferences } from './manifest-references.ts';
export {
  DOWNLOAD_HEAD_BYTES,
  type DownloadDirectory,
  downloadDirectoryBytes,
  type Piece,
  partPath,
  piecesOf,
  readDownloadDirectory,
} from './package/download-index.ts';
export {
  type AssembledPart,
  type AssembledTrack,
  assembleMovie,
  DOWNLOAD_INDEX_SUFFIX,
  DOWNLOADS_FOLDER,
} from './package/downloads.ts';
export type { PackagedExtras } from './package/extras.ts';
export { type AddedPackage, finishCodec } from './package/finish-codec.ts';
export { type FinishOptions, finishPackage, type PackagedVideo } from './package/finish-package.ts';
export { finishUpmix } from './package/finish-upmix.ts';
export { finishUpscale } from './package/finish-upscale.ts';
export type { PackagedFile } from './package/list-package.ts';
export { type FrameOptions, takeFrame } from './package/pictures/extract-frame.ts';
export { POSTER_WINDOW_MS, posterWindowStartMs } from './package/pictures/poster.ts';
export { takePoster } from './package/pictures/take-poster.ts';
export {
  DASH_SEGMENT_PATTERN,
  dashAudio,
  dashOf,
  dashVideo,
  hlsMaster,
  qualitiesOf,
} from './package/stream-manifests.ts';
export { copyWithIndex, INDEXED_PATH, INDEXED_VERSION, lacksIndex } from './remux/indexed-copy.ts';
export { mostRemuxedBytes, REMUXED_PATH, remuxFile } from './remux/remux-file.ts';
export { type RemuxableFile, readRemuxable } from './remux/remuxable.ts';
export { mostUniformBytes, UNIFORM_VERSION, UniformCopyError, uniformCopy } from './remux/uniform-copy.ts';
export { preferEnhanced } from './renditions/prefer-enhanced.ts';
export {
  type AudioRendition,
  inFolder,
  isVideo,
  type Rendition,
  type VideoRendition,
} from './renditions/rendition.ts';
export { createRunner, type Runner, type RunnerOptions } from './runner.ts';
export { sandboxAdvice, sandboxRefusal } from './sandbox-texts.ts';
export { StageError } from './stages/stage-error.ts';
export type { Stage } from './stages/stages.ts';
export { UPMIX } from './stages/upmix-stage.ts';
export { UPSCALE, type UpscaleFactor, type UpscalePlan } from './stages/upscale-stage.ts';
export { missingToolHelp, probeTools, type ToolFacts } from './tools.ts';
