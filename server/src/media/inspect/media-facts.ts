import type { Fraction } from './fraction.ts';
import type { PictureTimes } from './picture-times.ts';

/** The video stream of a media file: coded and displayed size, timing and colour. */
export interface VideoFacts {
  /** Stream index in the file (ffmpeg's `0:<index>`). */
  readonly index: number;
  readonly codec: string;
  readonly profile: string | null;
  /** Pixels as coded, before rotation. */
  readonly width: number;
  readonly height: number;
  /** Displayed pixels: square, and after rotation. */
  readonly displayWidth: number;
  readonly displayHeight: number;
  /** Clockwise rotation for display in degrees: 0, 90, 180 or 270. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** Shape of a coded pixel, width to height; 1:1 if unknown. */
  readonly sar: Fraction;
  /**
   * Frames per second: of a variable rate the most in any second where `pictures` has their times, otherwise the
   * average, counted where the file gives no usable value; null where it cannot be counted.
   */
  readonly frameRate: Fraction | null;
  readonly variableFrameRate: boolean;
  /** Whether each picture is at its time with this rate; absent: not known. */
  readonly exactRate?: boolean;
  /** How many pictures are at the times of an exact rate, where they were counted. */
  readonly pictureCount?: number;
  /** Of a variable rate whose times are known: renditions keep them. */
  readonly pictures?: PictureTimes;
  readonly pixelFormat: string;
  readonly bitDepth: number;
  /** As tagged in the file, by ffmpeg's names; null if untagged. */
  readonly colour: {
    readonly primaries: string | null;
    readonly transfer: string | null;
    readonly matrix: string | null;
    readonly range: 'tv' | 'pc' | null;
  };
  readonly hdr: 'hlg' | 'pq' | null;
  /** Which field comes first in interlaced video; null when progressive. */
  readonly interlaced: 'tt' | 'bb' | null;
  readonly bitrateBps: number | null;
}

export interface AudioFacts {
  readonly index: number;
  readonly codec: string;
  readonly channels: number;
  /** ffmpeg's name, `stereo` or `5.1(side)`; null if unknown. */
  readonly channelLayout: string | null;
  readonly sampleRate: number;
  readonly bitrateBps: number | null;
  /** As tagged: ISO 639-2 as a rule; null if untagged. */
  readonly language: string | null;
  readonly title: string | null;
}

export interface ChapterFacts {
  readonly startMs: number;
  readonly endMs: number;
  readonly title: string | null;
}

export interface SubtitleFacts {
  readonly index: number;
  readonly codec: string;
  readonly language: string | null;
  readonly title: string | null;
  /** Shown unless the viewer chooses otherwise. */
  readonly isDefault: boolean;
  /** Only what viewers need who understand the audio: signs, speech in other languages. */
  readonly isForced: boolean;
  /** For viewers who cannot hear: also sounds other than speech. */
  readonly describesSound: boolean;
}

/** Facts about a probed media file: the streams chosen for playback, and the others. */
export interface MediaFacts {
  readonly demuxer: string;
  /**
   * From the first to the last moment of the chosen streams; null when neither headers nor packets say.
   */
  readonly durationMs: number | null;
  /**
   * What is missing at the end of a file that is cut off: by so much, its headers say that it is longer. Absent:
   * nothing.
   */
  readonly missingMs?: number;
  /** The clock starts again in mid-stream, where another recording follows: all can be decoded from the start only. */
  readonly restarts?: true;
  /**
   * Whether any moment can be decoded without what is before it: the file is not fragmented, and its times are
   * plausible.
   */
  readonly randomAccess: boolean;
  /** Timestamp of the first moment; files need not start at 0. */
  readonly startMs: number;
  readonly video: VideoFacts | null;
  readonly audio: AudioFacts | null;
  /** Other audio tracks that viewers can choose, in file order; none without `audio`. */
  readonly otherAudio: readonly AudioFacts[];
  /** An attached picture (album cover), never treated as video. */
  readonly cover: {
    readonly index: number;
    readonly codec: string;
    readonly width: number;
    readonly height: number;
  } | null;
  readonly chapters: readonly ChapterFacts[];
  readonly subtitles: readonly SubtitleFacts[];
  /** Codecs of undecodable video and audio streams, for the error message. */
  readonly undecodable: { readonly video: readonly string[]; readonly audio: readonly string[] };
}
