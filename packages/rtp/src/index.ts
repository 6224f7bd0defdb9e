/** Puts RTP packets in order, makes frames of them, and relates the clocks of two tracks. README.md has an example. */
export type { FrameReader, ReaderHandlers, VideoConfig, VideoFrame } from './frame-reader.ts';
export { H264Reader } from './h264-reader.ts';
export { PacketOrder, type RtpPacket } from './packet-order.ts';
export { SenderClock } from './sender-clock.ts';
export { Unwrapper } from './unwrapper.ts';
export { Vp8Reader } from './vp8-reader.ts';
export { Vp9Reader } from './vp9-reader.ts';
