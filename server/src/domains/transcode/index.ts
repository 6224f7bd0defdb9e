/** What other domains may import from transcode: jobs, plans and encoding. */

export { isCold } from './cold/cold.sql.ts';
export { coldBefore } from './cold/cold-before.ts';
export { evictedRendition } from './cold/cold-renditions.store.ts';
export { FetchLog } from './cold/fetch-log.ts';
export { restoreEvicted, wantEvicted } from './cold/rebuild.ts';
export { requireStoredDownload } from './cold/require-stored.ts';
export { giveClipTexts } from './cutting/clip-texts.ts';
export { type CutPlatform, giveUpCut, runCut } from './cutting/run-cut.ts';
export { openCut, requireCuttable, startCutting, startRevert } from './cutting/start-cutting.ts';
export { declareVideoTrim } from './cutting/video-trim.graphql.ts';
export type {
  Additions,
  Finishing,
  FinishingTools,
  HeldJob,
  PlanningTools,
  UpscalingModels,
} from './encoding/additions.ts';
export { cancelJobWrites } from './jobs/cancel-job.store.ts';
export { declareJobInterruption, describeInterruption, type StoredInterruption } from './jobs/interruption.graphql.ts';
export { interruptionOf, isOrderedJob, isProcessingJob, JOB_KINDS, kindOfJob, remainingMsOf } from './jobs/jobs.sql.ts';
export { makePlayableJob } from './jobs/make-playable.job.ts';
export { processAgainCommand } from './jobs/process-again.command.ts';
export { processVideoJob } from './jobs/process-video.job.ts';
export { reserveDerived } from './jobs/reserve-derived.ts';
export {
  openProcessing,
  type ProcessingRequest,
  type ProcessingTools,
  reportJob,
  type StartedProcessing,
  startProcessing,
} from './jobs/start-processing.ts';
export {
  attachSource,
  type ClaimedJob,
  claimTranscodeJob,
  completeTranscodeJob,
  insertTranscodeJob,
  isUnderWay,
  newestTranscodeJob,
  releaseTranscodeJob,
  reportProgress,
  type TranscodeJobStatus,
} from './jobs/transcode-jobs.store.ts';
export type { ProcessingState, ProcessingWaiter, WaitOptions } from './jobs/wait-for-processing.ts';
export { dropEncoding } from './plans/drop-encoding.ts';
export { type EncodedJob, insertEncodePlan } from './plans/encode-plans.store.ts';
export { recordPlanning, recordSpeed } from './plans/encode-speeds.store.ts';
export { endPlan } from './plans/end-plan.ts';
export { estimatePlan, type ProcessingEstimate } from './plans/estimate.ts';
export { cancelProcessing, failAwaitingProcessing, failProcessing } from './plans/fail-processing.ts';
export {
  isSegmentEncoded,
  planOfPackage,
  type SegmentState,
  segmentState,
  wantSegment,
  withdrawOnDemand,
} from './plans/on-demand.store.ts';
export { type EncodedVideo, encodedVideo } from './plans/outputs.store.ts';
export { purgeOmitted, withSizesApart } from './plans/title-sizes.ts';
export { copiedSoundOf } from './playable/copied-sound.ts';
export { soundState, wantSound } from './playable/sound-segments.store.ts';
export { registerTranscode, type TranscodeDomain, type WorkerTools } from './register.ts';
export { inspectUploaded, sourceTagOf } from './sources/encode-source.ts';
export {
  type CopyKind,
  copyKindOf,
  type IndexedSource,
  isEncodedFrom,
  keepIndexed,
  storeIndexed,
  storeUniform,
} from './sources/indexed-source.ts';
export type { LocalSources } from './sources/local-sources.ts';
export { declareTranscode, type TranscodeTypes } from './transcode.graphql.ts';
export { orderWaveform } from './waveforms/order-waveform.ts';
export { fetchSpeech, requireSpeech, type VideoSpeech } from './waveforms/video-speech.ts';
export { declareWaveform } from './waveforms/waveform.graphql.ts';
