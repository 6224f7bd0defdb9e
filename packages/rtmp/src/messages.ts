/** Types of messages (RTMP 1.0 sections 5.4 and 7.1). */
export const MESSAGE = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowSize: 5,
  peerBandwidth: 6,
  audio: 8,
  video: 9,
  dataAmf3: 15,
  commandAmf3: 17,
  dataAmf0: 18,
  commandAmf0: 20,
  aggregate: 22,
} as const;

export interface Message {
  readonly type: number;
  /** Milliseconds, modulo 2^32. */
  readonly timestamp: number;
  /** 0: the connection; others are made by `createStream`. */
  readonly streamId: number;
  readonly payload: Buffer;
}

/**
 * Codecs that are read and forwarded (Enhanced RTMP v2, section "Enhancing NetConnection connect
 * Command").
 */
export const VIDEO_FOUR_CC = ['avc1', 'hvc1', 'av01', 'vp09'];
export const AUDIO_FOUR_CC = ['mp4a', 'Opus', 'ac-3', 'ec-3', 'fLaC', '.mp3'];
