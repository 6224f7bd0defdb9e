import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../../../kernel/errors.ts';
import { withPublicAddresses } from './answer.ts';
import { readOffer } from './offer.ts';

const START = ['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0'];
const SOUND = ['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=rtpmap:111 opus/48000/2'];
const video = (...codecs: readonly string[]) => ['m=video 9 UDP/TLS/RTP/SAVPF 96', ...codecs];
const VP8 = 'a=rtpmap:96 VP8/90000';
const H264 = (format: number, parameters: string) => [
  `a=rtpmap:${format} H264/90000`,
  `a=fmtp:${format} ${parameters}`,
];
const read = (...lines: readonly string[]) => readOffer([...START, ...lines, ''].join('\r\n'));

describe('an offer', () => {
  it('is answered with H.264 of packetization mode 1 first', () => {
    const single = H264(98, 'profile-level-id=42001f;packetization-mode=0');
    const parameters = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f';
    assert.deepEqual(read(...SOUND, ...video(VP8, ...single, ...H264(99, parameters))).video, {
      codec: 'H264',
      parameters,
    });
    assert.deepEqual(read(...video(...single, VP8)), {
      sdp: [...START, ...video(...single, VP8), ''].join('\r\n'),
      video: { codec: 'VP8', parameters: null },
      hasSound: false,
    });
    assert.equal(read(...video('a=rtpmap:96 VP9/90000')).video.codec, 'VP9');
  });

  it('is read without addresses and sizes', () => {
    const lines = ['a=candidate:1 1 udp 1 10.0.0.1 9 typ host', 'a=simulcast:send a;b', 'a=rid:a send', 'a=mid:0'];
    assert.equal(read(...video(VP8, ...lines)).sdp, [...START, ...video(VP8, 'a=mid:0'), ''].join('\r\n'));
  });

  for (const [what, status, lines] of [
    ['two pictures', 422, [...video(VP8), ...video(VP8)]],
    ['two sounds', 422, [...video(VP8), ...SOUND, ...SOUND]],
    ['other sound', 422, [...video(VP8), 'm=audio 9 UDP/TLS/RTP/SAVPF 0', 'a=rtpmap:0 PCMU/8000']],
    ['other pictures', 422, video('a=rtpmap:96 AV1/90000')],
    ['data', 422, [...video(VP8), 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel']],
    ['nothing', 422, []],
  ] as const)
    it(`of ${what} is refused`, () => {
      assert.throws(
        () => read(...lines),
        (error) => error instanceof AppError && error.httpStatus === status,
      );
    });

  it('that is none is refused', () => {
    for (const text of ['', 'v=1\r\n', 'hello', `v=0\r\n${'a=x\r\n'.repeat(4_000)}`])
      assert.throws(
        () => readOffer(text),
        (error) => error instanceof AppError && error.httpStatus === 400,
      );
  });
});

describe('an answer', () => {
  const answer = [
    ...['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=candidate:x 1 udp 2130706431 0.0.0.0 50001 typ host generation 0'],
    ...['a=candidate:y 1 udp 2130706431 :: 50002 typ host generation 0', 'a=mid:0', ''],
  ].join('\r\n');

  it('names public addresses with the port of their family', () => {
    assert.equal(
      withPublicAddresses(answer, ['203.0.113.7', '2001:db8::7', '10.0.0.7']),
      [
        ...['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=candidate:1 1 udp 2130706431 203.0.113.7 50001 typ host'],
        ...['a=candidate:2 1 udp 2130706430 2001:db8::7 50002 typ host'],
        ...['a=candidate:3 1 udp 2130706429 10.0.0.7 50001 typ host', 'a=mid:0', ''],
      ].join('\r\n'),
    );
  });

  it('leaves out addresses of a family that is not listened on', () => {
    const v4 = answer.replace(/a=candidate:y.*\r\n/, '');
    assert.equal(
      withPublicAddresses(v4, ['2001:db8::7']),
      ['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=mid:0', ''].join('\r\n'),
    );
  });
});
