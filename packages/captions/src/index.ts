/**
 * Captions: WebVTT and SubRip are read and written, and speech that was recognized is set as captions. README.md has an
 * example.
 */

export {
  type AudioPiece,
  LevelMeter,
  LONGEST_PIECE_MS,
  pieceBytes,
  planPieces,
  SPEECH_RATE,
  waveFile,
} from './audio-pieces.ts';
export { CaptionsError, type CaptionsProblem, MAX_CUES, readCaptionsFile, subRipText } from './captions-file.ts';
export { readTranslations } from './read-translations.ts';
export { recognizerCode } from './recognizer-languages.ts';
export { setCaptions } from './set-captions.ts';
export { plainText, setTranslated } from './set-translated.ts';
export type { SpokenText, Transcript } from './spoken-text.ts';
export { TranscriptError } from './transcript-error.ts';
export { readVerboseJson } from './verbose-json.ts';
export { type Cue, captionsText, clock, escapedCues, readCues, titlesText } from './web-vtt.ts';
export { readWhisperJson } from './whisper-json.ts';
