import { t } from '../../../kernel/languages/message.ts';
/** Bytes from the start of a file that `sniff` needs, or all of a shorter file. */
export const SNIFF_BYTES = 64 * 1024;

export type Container =
  | 'mov'
  | 'matroska'
  | 'mpegts'
  | 'mpeg'
  | 'mpegvideo'
  | 'avi'
  | 'flv'
  | 'asf'
  | 'mxf'
  | 'dv'
  | 'ogg'
  | 'flac'
  | 'wav'
  | 'aiff'
  | 'caf'
  | 'mp3'
  | 'aac'
  | 'ac3'
  | 'amr'
  | 'gif'
  | 'apng'
  | 'webp';

/** Why a file is not accepted audio or video. */
export type SniffRefusal = 'empty' | 'text' | 'playlist' | 'script' | 'image' | 'archive' | 'document' | 'unknown';

export type SniffResult =
  | {
      readonly ok: true;
      readonly container: Container;
      /** The only demuxer that ffmpeg may use for the file, or for its conversion (its `-f`). */
      readonly demuxer: string;
      readonly mimeType: string;
    }
  | {
      readonly ok: false;
      readonly reason: SniffRefusal;
      /** The file's type, as a sentence for the uploader. */
      readonly message: string;
    };

const CONTAINERS: Record<Container, { demuxer: string; mimeType: string }> = {
  mov: { demuxer: 'mov', mimeType: 'video/mp4' },
  matroska: { demuxer: 'matroska', mimeType: 'video/x-matroska' },
  mpegts: { demuxer: 'mpegts', mimeType: 'video/mp2t' },
  mpeg: { demuxer: 'mpeg', mimeType: 'video/mpeg' },
  mpegvideo: { demuxer: 'mpegvideo', mimeType: 'video/mpeg' },
  avi: { demuxer: 'avi', mimeType: 'video/x-msvideo' },
  flv: { demuxer: 'flv', mimeType: 'video/x-flv' },
  asf: { demuxer: 'asf', mimeType: 'video/x-ms-asf' },
  mxf: { demuxer: 'mxf', mimeType: 'application/mxf' },
  dv: { demuxer: 'dv', mimeType: 'video/dv' },
  ogg: { demuxer: 'ogg', mimeType: 'application/ogg' },
  flac: { demuxer: 'flac', mimeType: 'audio/flac' },
  wav: { demuxer: 'wav', mimeType: 'audio/wav' },
  aiff: { demuxer: 'aiff', mimeType: 'audio/aiff' },
  caf: { demuxer: 'caf', mimeType: 'audio/x-caf' },
  mp3: { demuxer: 'mp3', mimeType: 'audio/mpeg' },
  aac: { demuxer: 'aac', mimeType: 'audio/aac' },
  ac3: { demuxer: 'ac3', mimeType: 'audio/ac3' },
  amr: { demuxer: 'amr', mimeType: 'audio/amr' },
  gif: { demuxer: 'gif', mimeType: 'image/gif' },
  apng: { demuxer: 'apng', mimeType: 'image/apng' },
  webp: { demuxer: 'apng', mimeType: 'image/webp' },
};

const REFUSALS: Record<SniffRefusal, string> = {
  empty: t`The file is empty: no bytes arrived.`,
  text: t`The file is text, not audio or video.`,
  playlist: t`The file is a playlist that points to other files; upload the media itself.`,
  script: t`The file is a program or script, not audio or video.`,
  image: t`The file is an image; upload it as a poster or thumbnail, or send a video.`,
  archive: t`The file is an archive; unpack it and upload the video inside.`,
  document: t`The file is a document, not audio or video.`,
  unknown: t`The file is not in a media format that is recognised (MP4, MOV, WebM, Matroska, MPEG-TS, AVI, FLV, Ogg,
    FLAC, WAV, MP3 and others are).`,
};

/** The result for a container. */
export function media(container: Container, mimeType = CONTAINERS[container].mimeType): SniffResult {
  return { ok: true, container, demuxer: CONTAINERS[container].demuxer, mimeType };
}

/** The refusal of a file for `reason`. */
export function refused(reason: SniffRefusal): Extract<SniffResult, { ok: false }> {
  return { ok: false, reason, message: REFUSALS[reason] };
}

/**
 * Detects the type of a file from its first bytes only, never from its name or declared type. Refuses everything that
 * could make a demuxer open other files or addresses (playlists, concat scripts, session descriptions).
 */
export function sniff(head: Uint8Array): SniffResult {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, SNIFF_BYTES));
  if (bytes.length === 0) return refused('empty');
  return sniffMagic(bytes) ?? sniffNonMedia(bytes) ?? sniffMpeg(bytes) ?? sniffText(bytes) ?? refused('unknown');
}

/** ASCII at an offset, byte for byte. */
function ascii(bytes: Buffer, from: number, length: number): string {
  return bytes.toString('latin1', from, from + length);
}

function startsWith(bytes: Buffer, ...signature: number[]): boolean {
  return bytes.length >= signature.length && signature.every((value, index) => bytes[index] === value);
}

/** Formats with a signature at a fixed offset. */
function sniffMagic(bytes: Buffer): SniffResult | null {
  const fourCc = ascii(bytes, 0, 4);
  if (fourCc === 'RIFF' || fourCc === 'RF64') {
    const form = ascii(bytes, 8, 4);
    if (form === 'AVI ') return media('avi');
    if (form === 'WAVE') return media('wav');
    return form === 'WEBP' ? sniffWebp(bytes) : refused('unknown');
  }
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return media('gif'); // or a still image, which its frames show
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return sniffPng(bytes);
  if (fourCc === 'FORM' && /^AIF[FC]$/.test(ascii(bytes, 8, 4))) return media('aiff');
  if (fourCc === 'OggS') return media('ogg');
  if (fourCc === 'fLaC') return media('flac');
  if (fourCc === 'caff') return media('caf');
  if (ascii(bytes, 0, 3) === 'FLV' && bytes[3] === 1) return media('flv');
  if (ascii(bytes, 0, 5) === '#!AMR') return media('amr');
  if (startsWith(bytes, 0x1a, 0x45, 0xdf, 0xa3)) return sniffMatroska(bytes);
  if (startsWith(bytes, 0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11)) return media('asf');
  if (startsWith(bytes, 0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01)) return media('mxf');
  if (startsWith(bytes, 0x1f, 0x07, 0x00)) return media('dv');
  return sniffMov(bytes);
}

/** RFC 9649 section 2.7: an animation has the bit 2 of the flags in its extended header. */
function sniffWebp(bytes: Buffer): SniffResult {
  const animated = ascii(bytes, 12, 4) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0;
  return animated ? media('webp') : refused('image');
}

/** PNG, third edition, section 5.6: an animation has the chunk acTL before the first image data. */
function sniffPng(bytes: Buffer): SniffResult {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = ascii(bytes, at + 4, 4);
    if (type === 'acTL') return media('apng');
    if (type === 'IDAT') break;
  }
  return refused('image');
}

/** EBML (RFC 8794) names its document type near the start; `webm` and `matroska` are ours. */
function sniffMatroska(bytes: Buffer): SniffResult {
  const start = ascii(bytes, 0, 128);
  if (start.includes('webm')) return media('matroska', 'video/webm');
  return start.includes('matroska') ? media('matroska') : refused('unknown');
}

/** Image brands of ISO/IEC 23008-12 (HEIF) and AVIF: the same boxes as MP4, but a still image. */
const IMAGE_BRANDS = new Set([
  'mif1',
  'msf1',
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'avif',
  'avis',
  'jpeg',
  'crx ',
  'jxl ',
  'jp2 ',
]);
const MOV_BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot', 'styp']);

/** ISO/IEC 14496-12 boxes: a 32-bit size and a four-letter type; QuickTime files may start with others than `ftyp`. */
function sniffMov(bytes: Buffer): SniffResult | null {
  if (bytes.length < 8) return null;
  const type = ascii(bytes, 4, 4);
  const size = bytes.readUInt32BE(0);
  if (!MOV_BOXES.has(type) || (size < 8 && size !== 0 && size !== 1)) return null;
  if (type !== 'ftyp') return media('mov', 'video/quicktime');
  const brand = ascii(bytes, 8, 4);
  if (IMAGE_BRANDS.has(brand)) return refused('image');
  if (brand === 'qt  ') return media('mov', 'video/quicktime');
  if (brand === 'M4A ' || brand === 'M4B ') return media('mov', 'audio/mp4');
  return media('mov', brand.startsWith('3g') ? 'video/3gpp' : 'video/mp4');
}

/** MPEG transport and program streams, and raw MPEG audio: recognised by repeated sync words. */
function sniffMpeg(bytes: Buffer): SniffResult | null {
  if (startsWith(bytes, 0, 0, 1, 0xba)) return media('mpeg');
  if (startsWith(bytes, 0, 0, 1, 0xb3)) return media('mpegvideo');
  if (isTransportStream(bytes, 188, 0) || isTransportStream(bytes, 192, 4) || isTransportStream(bytes, 204, 0))
    return media('mpegts');
  return sniffAudioFrames(bytes, id3Bytes(bytes));
}

/**
 * ISO/IEC 13818-1 section 2.4.3.2: every packet starts with 0x47. Five in a row are conclusive; very short files have
 * fewer.
 */
function isTransportStream(bytes: Buffer, packetBytes: number, offset: number): boolean {
  const packets = Math.min(5, Math.floor((bytes.length - offset) / packetBytes));
  if (packets < 2) return false;
  for (let packet = 0; packet < packets; packet++) if (bytes[offset + packet * packetBytes] !== 0x47) return false;
  return true;
}

/**
 * Bytes of an ID3v2 tag (id3.org, id3v2.4.0-structure section 3.1: a 28-bit "synchsafe" size), 0 where there is none.
 */
function id3Bytes(bytes: Buffer): number {
  if (ascii(bytes, 0, 3) !== 'ID3' || bytes.length < 10) return 0;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10);
  return 10 + ((a & 0x7f) << 21) + ((b & 0x7f) << 14) + ((c & 0x7f) << 7) + (d & 0x7f);
}

function sniffAudioFrames(bytes: Buffer, tagBytes: number): SniffResult | null {
  // A tag with a large cover picture reaches beyond what we see: such tags are an MP3 habit, and the demuxer decides in
  // the end.
  if (tagBytes + 8 > bytes.length) return tagBytes > 0 ? media('mp3') : null;
  const frames = bytes.subarray(tagBytes);
  if (ascii(frames, 0, 4) === 'fLaC') return media('flac');
  if (frames[0] === 0x0b && frames[1] === 0x77) return media('ac3');
  if (frames[0] !== 0xff) return tagBytes > 0 ? media('mp3') : null;
  const second = frames[1] ?? 0;
  // ISO/IEC 13818-7 ADTS: twelve sync bits, layer 00, then a 13-bit frame length that leads to the next sync word.
  if ((second & 0xf6) === 0xf0) {
    const length = (((frames[3] ?? 0) & 3) << 11) | ((frames[4] ?? 0) << 3) | ((frames[5] ?? 0) >> 5);
    const next =
      frames.length > length + 1 ? frames[length] === 0xff && ((frames[length + 1] ?? 0) & 0xf6) === 0xf0 : length > 7;
    return length > 7 && next ? media('aac') : null;
  }
  // ISO/IEC 11172-3 section 2.4.2.3: bit rate 1111 and sampling rate 11 are reserved. Only layers II and III: layer I
  // is extinct, and its sync bytes FF FE are also the byte order mark of UTF-16 text.
  const third = frames[2] ?? 0xff;
  const layer = second & 0x06;
  const isMpegAudio =
    (second & 0xe0) === 0xe0 &&
    (layer === 0x02 || layer === 0x04) &&
    (third & 0xf0) !== 0xf0 &&
    (third & 0x0c) !== 0x0c;
  return isMpegAudio && (second & 0x18) !== 0x08 ? media('mp3') : null;
}

const NON_MEDIA: readonly (readonly [reason: SniffRefusal, offset: number, signature: string])[] = [
  ['image', 0, '\xff\xd8\xff'],
  ['image', 0, 'BM'],
  ['image', 0, 'II*\0'],
  ['image', 0, 'MM\0*'],
  ['image', 0, '8BPS'],
  ['image', 0, '\0\0\x01\0'],
  ['image', 0, '\xff\x0a'],
  ['image', 4, 'JXL '],
  ['image', 4, 'jP  '],
  ['archive', 0, 'PK\x03\x04'],
  ['archive', 0, 'PK\x05\x06'],
  ['archive', 0, '\x1f\x8b'],
  ['archive', 0, 'Rar!'],
  ['archive', 0, "7z\xbc\xaf'\x1c"],
  ['archive', 0, '\xfd7zXZ'],
  ['archive', 0, 'BZh'],
  ['archive', 0, '\x28\xb5\x2f\xfd'],
  ['archive', 257, 'ustar'],
  ['document', 0, '%PDF'],
  ['document', 0, '\xd0\xcf\x11\xe0'],
  ['document', 0, '{\\rtf'],
  ['script', 0, '\x7fELF'],
  ['script', 0, 'MZ'],
  ['script', 0, '\xca\xfe\xba\xbe'],
  ['script', 0, '\xcf\xfa\xed\xfe'],
];

function sniffNonMedia(bytes: Buffer): SniffResult | null {
  for (const [reason, offset, signature] of NON_MEDIA) {
    // "BM" and "MZ" may also start a text: two letters count only in binary data.
    if (signature.length === 2 && /^[A-Z]{2}$/.test(signature) && looksLikeText(bytes)) continue;
    if (ascii(bytes, offset, signature.length) === signature) return refused(reason);
  }
  return null;
}

/** Text that references other resources, in formats that ffmpeg or similar tools demux. */
const PLAYLIST =
  /^(#EXTM3U|#EXT-X-|ffconcat\b|file\s+['"/\w]|\[playlist\]|v=0\s|\[InternetShortcut\]|;FFMETADATA)|<(MPD|SmoothStreamingMedia|asx|smil|playlist|xspf|rss|SMIL)\b|^#EXTINF|\bhttps?:\/\/\S+\.m3u8/im;
const SCRIPT = /^(#!|<\?php|<script\b|<!doctype html|<html\b|@echo off)/i;
const VECTOR_IMAGE = /<svg[\s>]/i;

function sniffText(bytes: Buffer): SniffResult | null {
  if (!looksLikeText(bytes)) return null;
  const text = decodeText(bytes).trimStart();
  if (PLAYLIST.test(text)) return refused('playlist');
  if (SCRIPT.test(text)) return refused('script');
  return refused(VECTOR_IMAGE.test(text) ? 'image' : 'text');
}

function isUtf16(bytes: Buffer): boolean {
  return startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff);
}

function decodeText(bytes: Buffer): string {
  if (startsWith(bytes, 0xff, 0xfe)) return bytes.toString('utf16le', 2);
  if (startsWith(bytes, 0xfe, 0xff))
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le');
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** No control bytes but white space, or a UTF-16 byte order mark. */
function looksLikeText(bytes: Buffer): boolean {
  if (isUtf16(bytes)) return true;
  for (const byte of bytes)
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b) return false;
  return !bytes.includes(0x7f);
}
