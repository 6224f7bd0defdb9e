import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { describe, it } from 'node:test';
import { secretsFrom } from '../../../platform/config/secret-key.ts';
import { encryptedBytes, encryptedPlaylist, segmentAt, segmentCipher, segmentKey } from './segment-cipher.ts';

const secrets = secretsFrom(Buffer.alloc(32, 7));
const FOLDER = 'media/c/v/p-1/v720/';

describe('encrypted segments', () => {
  it('are decrypted with the key of their folder and their number as 128-bit big-endian vector', () => {
    const clear = Buffer.from('a segment of more than one block');
    const cipher = segmentCipher(secrets, { folder: FOLDER, number: 258 });
    const sealed = Buffer.concat([cipher.update(clear), cipher.final()]);
    const vector = Buffer.from('00000000000000000000000000000102', 'hex');
    const decipher = createDecipheriv('aes-128-cbc', segmentKey(secrets, FOLDER), vector);
    assert.deepEqual(Buffer.concat([decipher.update(sealed), decipher.final()]), clear);
    assert.equal(sealed.length, encryptedBytes(clear.length));
  });

  it('have a key for each folder and platform', () => {
    const key = segmentKey(secrets, FOLDER);
    assert.equal(key.length, 16);
    assert.notDeepEqual(segmentKey(secrets, 'media/c/v/p-1/a128/'), key);
    assert.notDeepEqual(segmentKey(secretsFrom(Buffer.alloc(32, 8)), FOLDER), key);
  });

  for (const [clear, sealed] of [
    [0, 16],
    [1, 16],
    [15, 16],
    [16, 32],
    [1_500_000, 1_500_016],
  ] as const)
    it(`of ${clear} bytes have ${sealed}`, () => assert.equal(encryptedBytes(clear), sealed));

  for (const [key, segment] of [
    [`${FOLDER}seg-00012.m4s`, { folder: FOLDER, number: 12 }],
    [`${FOLDER}7.m4s`, { folder: FOLDER, number: 7 }],
    [`${FOLDER}seg-00012.3.m4s`, null],
    [`${FOLDER}init.mp4`, null],
    [`${FOLDER}index.m3u8`, null],
    [`${FOLDER}thumbs/00001.jpg`, null],
  ] as const)
    it(`are known by their names: ${key}`, () => assert.deepEqual(segmentAt(key), segment));
});

describe('playlists of encrypted segments', () => {
  it('name the key after the initialization section, and begin with the number of the first file', () => {
    const clear = [
      '#EXTM3U',
      '#EXT-X-VERSION:6',
      '#EXT-X-TARGETDURATION:4',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-PLAYLIST-TYPE:VOD',
      '#EXT-X-MAP:URI="init.mp4"',
      '#EXTINF:4.000000,',
      'seg-00001.m4s',
      '#EXTINF:2.000000,',
      'seg-00002.m4s',
      '#EXT-X-ENDLIST',
      '',
    ].join('\n');
    assert.equal(
      encryptedPlaylist(clear),
      [
        '#EXTM3U',
        '#EXT-X-VERSION:6',
        '#EXT-X-TARGETDURATION:4',
        '#EXT-X-PLAYLIST-TYPE:VOD',
        '#EXT-X-MEDIA-SEQUENCE:1',
        '#EXT-X-MAP:URI="init.mp4"',
        '#EXT-X-KEY:METHOD=AES-128,URI="segments.key"',
        '#EXTINF:4.000000,',
        'seg-00001.m4s',
        '#EXTINF:2.000000,',
        'seg-00002.m4s',
        '#EXT-X-ENDLIST',
        '',
      ].join('\n'),
    );
  });

  it('of other files stay as they are, without playlists for trick play', () => {
    const captions = '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n1.vtt\n#EXT-X-ENDLIST\n';
    assert.equal(encryptedPlaylist(captions), captions);
    assert.equal(
      encryptedPlaylist(
        '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv720/index.m3u8\n' +
          '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="v720/iframes.m3u8"\n',
      ),
      '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv720/index.m3u8\n',
    );
  });

  it('have the vectors of segments behind a gap, and readable initialization sections after discontinuities', () => {
    const clear = [
      ...['#EXTM3U', '#EXT-X-TARGETDURATION:4', '#EXT-X-MEDIA-SEQUENCE:0', '#EXT-X-MAP:URI="init.mp4"'],
      ...['#EXTINF:4.000000,', 'seg-00000.m4s', '#EXT-X-DISCONTINUITY', '#EXT-X-MAP:URI="init-1.mp4"'],
      ...['#EXTINF:4.000000,', 'seg-00001.m4s', '#EXTINF:4.000000,', 'seg-00012.m4s', '#EXT-X-ENDLIST', ''],
    ].join('\n');
    assert.equal(
      encryptedPlaylist(clear),
      [
        ...['#EXTM3U', '#EXT-X-TARGETDURATION:4', '#EXT-X-MEDIA-SEQUENCE:0', '#EXT-X-MAP:URI="init.mp4"'],
        ...['#EXT-X-KEY:METHOD=AES-128,URI="segments.key"', '#EXTINF:4.000000,', 'seg-00000.m4s'],
        ...['#EXT-X-DISCONTINUITY', '#EXT-X-KEY:METHOD=NONE', '#EXT-X-MAP:URI="init-1.mp4"'],
        ...['#EXT-X-KEY:METHOD=AES-128,URI="segments.key"', '#EXTINF:4.000000,', 'seg-00001.m4s', '#EXTINF:4.000000,'],
        '#EXT-X-KEY:METHOD=AES-128,URI="segments.key",IV=0x0000000000000000000000000000000c',
        ...['seg-00012.m4s', '#EXT-X-ENDLIST', ''],
      ].join('\n'),
    );
  });

  it('of a broadcast have no parts, and no updates without older segments', () => {
    const control = '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,';
    const live = [
      ...['#EXTM3U', '#EXT-X-TARGETDURATION:2', `${control}CAN-SKIP-UNTIL=12,PART-HOLD-BACK=1.500`],
      ...['#EXT-X-PART-INF:PART-TARGET=0.500', '#EXT-X-MEDIA-SEQUENCE:7', '#EXT-X-MAP:URI="init.mp4"'],
      ...['#EXT-X-PART:DURATION=0.5,URI="seg-00007.0.m4s"', '#EXTINF:2.000000,', 'seg-00007.m4s'],
      ...['#EXT-X-PRELOAD-HINT:TYPE=PART,URI="seg-00008.0.m4s"', ''],
    ].join('\n');
    assert.equal(
      encryptedPlaylist(live),
      [
        ...['#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES'],
        ...['#EXT-X-MEDIA-SEQUENCE:7', '#EXT-X-MAP:URI="init.mp4"', '#EXT-X-KEY:METHOD=AES-128,URI="segments.key"'],
        ...['#EXTINF:2.000000,', 'seg-00007.m4s', ''],
      ].join('\n'),
    );
  });
});
