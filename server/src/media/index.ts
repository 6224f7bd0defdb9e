/** What media files are, what to make of them, and the one sandboxed way to run programs on them. */
export { CaptionsFault, readCaptionsFile, subRipText } from './captions-file.ts';
export type { PackagedRendition } from './describe-package.ts';
export { DOWNLOADS_FOLDER } from './downloads.ts';
export type { PackagedExtras } from './extras.ts';
export { singleSegmentPlaylist } from './hls-playlist.ts';
export { type Inspection, type InspectOptions, inspectFile } from './inspect-file.ts';
export { DEFAULT_MEDIA_LIMITS, type MediaLimits } from './judge-media.ts';
export { type Ladder, planLadder, type VideoRung } from './ladder.ts';
export { type AddedSubtitle, withSubtitles } from './master-subtitles.ts';
export type { AudioFacts, MediaFacts, SubtitleFacts, VideoFacts } from './media-facts.ts';
export { defaultLimits, expectedPackageBytes, type PackagedVideo, type PackageOptions, packageVideo } from './package-video.ts';
export { DECODER_PROGRAM } from './pictures/decoder-files.ts';
export { MAX_PICTURE_PIXELS, openPictureDecoder } from './pictures/open-picture-decoder.ts';
export { PictureDecoder } from './pictures/picture-decoder.ts';
export { PictureError, type PictureErrorReason } from './pictures/picture-error.ts';
export type { PictureFacts, PictureFile, PictureFormat, PictureOrder, PictureOutput } from './pictures/picture-process.ts';
export { PICTURE_SNIFF_BYTES, type SniffedPicture, sniffPicture } from './pictures/sniff-picture.ts';
export { RunError, type RunErrorReason } from './run-error.ts';
export {
  createRunner,
  inputArg,
  type ProgramOptions,
  type Runner,
  type RunnerOptions,
  type RunOptions,
  type RunResult,
  type SandboxedChild,
} from './runner.ts';
export type { RunLimits } from './sandbox/limits.ts';
export { removeTree } from './sandbox/remove-tree.ts';
export {
  isComplete,
  PROTECTIONS,
  type Protection,
  type SandboxMethod,
  type SandboxStatus,
  sandboxRefusal,
} from './sandbox/sandbox.ts';
export { SNIFF_BYTES, type SniffResult, sniff } from './sniff.ts';
export { type FrameOptions, takeFrame } from './take-frame.ts';
export { missingToolAdvice, probeTools, type ToolFacts } from './tools.ts';
export type { PackagedFile } from './verify-package.ts';
export { captionsText, titlesText } from './web-vtt.ts';
