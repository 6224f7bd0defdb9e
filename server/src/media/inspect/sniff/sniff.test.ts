import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sniff } from './sniff.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
const box = (type: string, brand: string) => bytes([0, 0, 0, 0x20], type, brand, [0, 0, 2, 0], 'isomiso2avc1mp41');
const packets = (size: number, offset: number) => {
  const stream = Buffer.alloc(size * 6 + offset, 0xff);
  for (let at = offset; at < stream.length; at += size) stream[at] = 0x47;
  return stream;
};
const mp3Frame = [0xff, 0xfb, 0x90, 0x64, 0, 0, 0, 0];
const adtsFrame = [0xff, 0xf1, 0x50, 0x80, 0x01, 0xff, 0xfc, 0, 0, 0, 0, 0, 0, 0, 0];

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const media: [name: string, head: Buffer, demuxer: string, mimeType: string][] = [
  ['MP4', box('ftyp', 'isom'), 'mov', 'video/mp4'],
  ['QuickTime', box('ftyp', 'qt  '), 'mov', 'video/quicktime'],
  ['QuickTime without ftyp', box('moov', 'mvhd'), 'mov', 'video/quicktime'],
  ['M4A', box('ftyp', 'M4A '), 'mov', 'audio/mp4'],
  ['3GP', box('ftyp', '3gp4'), 'mov', 'video/3gpp'],
  ['WebM', bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84], 'webm'), 'matroska', 'video/webm'],
  ['Matroska', bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x88], 'matroska'), 'matroska', 'video/x-matroska'],
  ['MPEG-TS', packets(188, 0), 'mpegts', 'video/mp2t'],
  ['MPEG-TS with timestamps (M2TS)', packets(192, 4), 'mpegts', 'video/mp2t'],
  ['MPEG-PS', bytes([0, 0, 1, 0xba, 0x44]), 'mpeg', 'video/mpeg'],
  ['AVI', bytes('RIFF', [0, 0, 0, 0], 'AVI LIST'), 'avi', 'video/x-msvideo'],
  ['WAV', bytes('RIFF', [0, 0, 0, 0], 'WAVEfmt '), 'wav', 'audio/wav'],
  ['FLV', bytes('FLV', [1, 5, 0, 0, 0, 9]), 'flv', 'video/x-flv'],
  ['ASF', bytes([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]), 'asf', 'video/x-ms-asf'],
  ['Ogg', bytes('OggS', [0, 2]), 'ogg', 'application/ogg'],
  ['FLAC', bytes('fLaC', [0, 0, 0, 0x22]), 'flac', 'audio/flac'],
  ['FLAC behind an ID3 tag', bytes('ID3', [4, 0, 0, 0, 0, 0, 2, 9, 9], 'fLaC', [0, 0, 0, 0x22]), 'flac', 'audio/flac'],
  ['MP3', bytes(mp3Frame), 'mp3', 'audio/mpeg'],
  ['MP3 behind an ID3 tag', bytes('ID3', [4, 0, 0, 0, 0, 0, 2, 9, 9], mp3Frame), 'mp3', 'audio/mpeg'],
  ['ADTS AAC', bytes(adtsFrame, adtsFrame), 'aac', 'audio/aac'],
  ['GIF', bytes('GIF89a'), 'gif', 'image/gif'],
  ['animated WebP', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0x12]), 'apng', 'image/webp'],
  ['animated PNG', bytes(PNG, [0, 0, 0, 1], 'tEXt.CRC ', [0, 0, 0, 8], 'acTL'), 'apng', 'image/apng'],
  ['AMR, which looks like a script', bytes('#!AMR\n', [0x3c]), 'amr', 'audio/amr'],
];

for (const [name, head, demuxer, mimeType] of media) {
  test(`${name} is detected by its bytes`, () => {
    const result = sniff(head);
    assert.ok(result.ok, JSON.stringify(result));
    assert.deepEqual({ demuxer: result.demuxer, mimeType: result.mimeType }, { demuxer, mimeType });
  });
}

const refused: [name: string, head: Buffer, reason: string][] = [
  ['an empty file', Buffer.alloc(0), 'empty'],
  ['plain text', bytes('Dear diary, today I uploaded text.'), 'text'],
  ['text that starts like a bitmap', bytes('BMW makes cars.'), 'text'],
  ['text that starts like a program', bytes('MZ is the mark of DOS programs.'), 'text'],
  ['JSON', bytes('{"video": true}'), 'text'],
  ['an HLS playlist', bytes('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'), 'playlist'],
  ['an HLS playlist behind a byte order mark', bytes([0xef, 0xbb, 0xbf], '#EXTM3U\n'), 'playlist'],
  ['an HLS playlist in UTF-16', bytes([0xff, 0xfe], '#\0E\0X\0T\0M\x003\0U\0\n\0'), 'playlist'],
  ['an HLS playlist behind a comment', bytes('# my video\n#EXTM3U\n#EXTINF:1,\na.ts\n'), 'playlist'],
  ['a DASH manifest', bytes('<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011">'), 'playlist'],
  ['a concat script', bytes("ffconcat version 1.0\nfile '/etc/passwd'\n"), 'playlist'],
  ['a concat script without header', bytes("file '/etc/passwd'\n"), 'playlist'],
  ['a session description', bytes('v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n'), 'playlist'],
  ['a PLS playlist', bytes('[playlist]\nFile1=http://127.0.0.1/\n'), 'playlist'],
  ['ffmpeg metadata', bytes(';FFMETADATA1\ntitle=x\n'), 'playlist'],
  ['a shell script', bytes('#!/bin/sh\nid\n'), 'script'],
  ['a web page', bytes('<!DOCTYPE html><title>x</title>'), 'script'],
  ['a Linux program', bytes([0x7f], 'ELF', [2, 1, 1, 0]), 'script'],
  ['a Windows program', bytes('MZ', [0x90, 0, 3, 0]), 'script'],
  ['an SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image'],
  ['a JPEG', bytes([0xff, 0xd8, 0xff, 0xe0]), 'image'],
  ['a PNG', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a]), 'image'],
  ['a PNG of one image', bytes(PNG, [0, 0, 0, 1], 'tEXt.CRC ', [0, 0, 0, 1], 'IDAT'), 'image'],
  ['a WebP', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 '), 'image'],
  ['an extended WebP of one image', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0x10]), 'image'],
  ['a HEIC photo', box('ftyp', 'heic'), 'image'],
  ['an AVIF photo', box('ftyp', 'avif'), 'image'],
  ['a ZIP', bytes('PK', [3, 4, 20, 0]), 'archive'],
  ['a gzip', bytes([0x1f, 0x8b, 8, 0]), 'archive'],
  ['a PDF', bytes('%PDF-1.7'), 'document'],
  ['an EBML file of another kind', bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84], 'abcd'), 'unknown'],
  ['random bytes', bytes([0x13, 0x37, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0x80, 0xff]), 'unknown'],
  ['one zero byte', bytes([0]), 'unknown'],
];

for (const [name, head, reason] of refused) {
  test(`${name} is refused as ${reason}, with a message`, () => {
    const result = sniff(head);
    assert.ok(!result.ok, JSON.stringify(result));
    assert.equal(result.reason, reason);
    assert.match(result.message, /^The file .{10,}\.$/);
  });
}

test('bytes beyond the first 64 KiB do not count', () => {
  const head = Buffer.concat([Buffer.alloc(64 * 1024, 'a'), Buffer.alloc(10)]);
  const result = sniff(head);
  assert.equal(result.ok ? 'media' : result.reason, 'text');
});
