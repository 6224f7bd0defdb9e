/** The media room: what files are, what to make of them, and the one sandboxed way to run ffmpeg. */
export { CaptionsFault, readCaptionsFile, subRipText } from './captions-file.ts';
export type { PackagedRendition } from './describe-package.ts';
export { singleSegmentPlaylist } from './hls-playlist.ts';
export { type Inspection, type InspectOptions, inspectFile } from './inspect-file.ts';
export { type Isolation, type RunLimits, SANDBOX_UID } from './isolation.ts';
export { DEFAULT_MEDIA_LIMITS, type MediaLimits } from './judge-media.ts';
export { type Ladder, planLadder, type VideoRung } from './ladder.ts';
export { type AddedSubtitle, withSubtitles } from './master-subtitles.ts';
export type { AudioFacts, MediaFacts, SubtitleFacts, VideoFacts } from './media-facts.ts';
export { defaultLimits, type PackagedVideo, type PackageOptions, packageVideo } from './package-video.ts';
export { RunError, type RunErrorReason } from './run-error.ts';
export { createRunner, inputArg, type Runner, type RunnerOptions, type RunOptions, type RunResult } from './runner.ts';
export { SNIFF_BYTES, type SniffResult, sniff } from './sniff.ts';
export { type FrameOptions, takeFrame } from './take-frame.ts';
export { missingToolAdvice, probeTools, type ToolFacts } from './tools.ts';
export type { PackagedFile } from './verify-package.ts';
export { captionsText, titlesText } from './web-vtt.ts';
