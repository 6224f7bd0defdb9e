/** Content types by file name extension: those that the platform writes and serves. */
const TYPES: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  avif: 'image/avif',
  gif: 'image/gif',
  heic: 'image/heic',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  m3u8: 'application/vnd.apple.mpegurl',
  m4a: 'audio/mp4',
  m4s: 'video/iso.segment',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  mpd: 'application/dash+xml',
  ogg: 'audio/ogg',
  png: 'image/png',
  ts: 'video/mp2t',
  vtt: 'text/vtt; charset=utf-8',
  webm: 'video/webm',
  webp: 'image/webp',
};

export const UNKNOWN_TYPE = 'application/octet-stream';

/** The content type of a file name's extension; `application/octet-stream` for unknown ones. */
export function contentTypeOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return (dot === -1 ? undefined : TYPES[name.slice(dot + 1).toLowerCase()]) ?? UNKNOWN_TYPE;
}

/** Whether files of this name always have the content type of their extension: segments, which are read most. */
export function hasFixedType(name: string): boolean {
  return name.endsWith('.m4s');
}
