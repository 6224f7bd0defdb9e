/**
 * MP4 and QuickTime files (ISO/IEC 14496-12): boxes, sample tables, where segments are cut, fragments, and files made
 * of fragments. README.md has an example.
 */

export { BoxBudget, boxesIn, Mp4Error, readTopLevelBox } from './boxes.ts';
export { type ByteSource, bufferSource } from './byte-source.ts';
export { isCutOff } from './cut-off.ts';
export { type Cut, cutAudio, cutVideo } from './cut-plan.ts';
export { cutSegment } from './cut-segment.ts';
export { firstFrom } from './first-from.ts';
export {
  type Fragment,
  firstSampleEnd,
  fragmentHeadBytes,
  initSegment,
  mediaSegment,
  readFragment,
  type StreamSample,
  streamFragment,
} from './fragment.ts';
export { parseMovie, readMovie } from './movie.ts';
export { describeMovieFile, type SegmentedTrack } from './movie-file.ts';
export { pictureSeconds } from './picture-seconds.ts';
export { type AacEntry, clearBitRates, type H264Entry, type KnownEntry, readSampleEntries } from './sample-entry.ts';
export { readSampleIndex, type SampleIndex } from './sample-index.ts';
export {
  directoryBytes,
  HEAD_BYTES,
  readBlock,
  readDirectory,
  replaceSource,
  type SegmentDirectory,
  writeSegmentIndex,
} from './segment-index.ts';
export { soundFile } from './sound-file.ts';
export { planSound, SOUND_TRACK, type SoundSource } from './sound-plan.ts';
export { readStandardInput, type StandardInput, type StandardTrack } from './standard-input.ts';
export { unsteadyTimes } from './steady-times.ts';
export {
  type FragmentedHandlers,
  type FragmentedSample,
  type FragmentedTrack,
  FragmentReader,
} from './stream/fragment-reader.ts';
export { joinParts } from './stream/join-parts.ts';
export { aacStreamEntry, av1StreamEntry, h264StreamEntry, hevcStreamEntry } from './stream/stream-entry.ts';
export {
  type FragmenterOptions,
  StreamFragmenter,
  type StreamFrame,
  type StreamPart,
  type StreamSegment,
  type StreamTrack,
  VIDEO_TIMESCALE,
  type VideoFrame,
} from './stream/stream-fragmenter.ts';
