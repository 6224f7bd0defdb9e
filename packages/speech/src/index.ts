/**
 * Recognizes speech with whisper.cpp, in a sandbox. README.md has an example.
 */
export { checkSpeechModel, type RecognizedSpeech, recognizeSpeech, type SpeechOptions } from './recognize-speech.ts';
export { SpeechError, type SpeechErrorReason } from './speech-error.ts';
export { isSpeechEngineInstalled } from './speech-files.ts';
