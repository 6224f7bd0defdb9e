import { type AudioTag, readAudio } from './flv-audio.ts';
import { readVideo, type VideoTag } from './flv-video.ts';
import { MESSAGE } from './messages.ts';
import { RtmpError } from './rtmp-error.ts';

/** Timestamps are milliseconds, modulo 2^32. */
export interface FlvHandlers {
  readonly onVideo: (timestamp: number, tag: VideoTag) => void;
  readonly onAudio: (timestamp: number, tag: AudioTag) => void;
}

/** Of the header of a tag (Video File Format 10.1, section E.4.1), and of the size of the tag that follows each. */
const TAG_HEADER_BYTES = 11;
const SIZE_BYTES = 4;
/** Of the header of a file (section E.2), with the size of no tag. */
const FILE_HEADER_BYTES = 9 + SIZE_BYTES;
/** In the first byte of a tag, beside flags. */
const TYPE_BITS = 0x1f;

/** Reads an FLV stream, whose tags are the messages of RTMP: bytes in, frames out. */
export class FlvReader {
  readonly #handlers: FlvHandlers;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Bytes that complete what is read next. */
  #needed = FILE_HEADER_BYTES;
  #hasHeader = false;

  constructor(handlers: FlvHandlers) {
    this.#handlers = handlers;
  }

  /**
   * Takes the bytes that arrive. Not more than one tag, of at most 16 MiB, is kept.
   * @throws RtmpError where they are not FLV, or for an unknown codec; what handlers throw.
   */
  push(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes < this.#needed) return;
    const data = Buffer.concat(this.#waiting);
    let at = 0;
    if (!this.#hasHeader) at = this.#readHeader(data);
    this.#needed = TAG_HEADER_BYTES;
    while (data.length - at >= TAG_HEADER_BYTES) {
      const size = TAG_HEADER_BYTES + data.readUIntBE(at + 1, 3) + SIZE_BYTES;
      if (data.length - at < size) {
        this.#needed = size;
        break;
      }
      this.#take(data.subarray(at, at + size - SIZE_BYTES));
      at += size;
    }
    const rest = data.subarray(at);
    this.#waiting = [rest];
    this.#waitingBytes = rest.length;
  }

  #readHeader(data: Buffer): number {
    if (data.toString('latin1', 0, 3) !== 'FLV' || data.readUInt32BE(5) !== FILE_HEADER_BYTES - SIZE_BYTES)
      throw new RtmpError('This is not FLV.');
    this.#hasHeader = true;
    return FILE_HEADER_BYTES;
  }

  #take(tag: Buffer): void {
    const type = tag.readUInt8(0) & TYPE_BITS;
    const timestamp = tag.readUIntBE(4, 3) + tag.readUInt8(7) * 2 ** 24;
    const message = tag.subarray(TAG_HEADER_BYTES);
    if (type === MESSAGE.video) {
      const video = readVideo(message);
      if (video) this.#handlers.onVideo(timestamp, video);
    } else if (type === MESSAGE.audio) {
      const audio = readAudio(message);
      if (audio) this.#handlers.onAudio(timestamp, audio);
    }
  }
}
