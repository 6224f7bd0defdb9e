/** What other domains may import from enhance: what is added to videos. */

export type { UpmixLayout } from '../../media/index.ts';
export { declareEnhance } from './enhance.graphql.ts';
export { INSTALL_SPEECH_MODEL_COMMAND } from './recognizers/install-speech-model.command.ts';
export { speechSetup } from './recognizers/not-set-up.ts';
export { speechEngine } from './recognizers/speech-engine.ts';
export { loadAdditions, registerEnhance } from './register.ts';
export { declareCaptionsJobs } from './speech/captions-jobs.graphql.ts';
export { estimateTranscription } from './speech/estimate-transcription.ts';
export { autonymOf } from './speech/language-names.ts';
export { readTranscription, startTranscription } from './speech/order-transcription.ts';
export { estimateTranslation, readTranslation, startTranslation } from './speech/order-translation.ts';
export { estimateUpmix } from './upmix/estimate-upmix.ts';
export { removeUpmix, startUpmix } from './upmix/order-upmix.ts';
export { estimateUpscale } from './upscale/estimate-upscale.ts';
export { removeUpscale, startUpscale, type UpscaleInput } from './upscale/order-upscale.ts';
