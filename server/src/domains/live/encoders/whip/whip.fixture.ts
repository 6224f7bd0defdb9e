import { createSocket } from 'node:dgram';
import { MediaStreamTrack, RTCPeerConnection, useH264, useOPUS, useVP8 } from 'werift';
import { until } from '../../../../testing/until.ts';
import type { LiveFixture, TestInput } from '../../live.fixture.ts';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bsf:v', 'dump_extra'];
const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'];

/** Of the requests of a client with the key of an input. */
export function headersOf({ streamKey }: Pick<TestInput, 'streamKey'>): Record<string, string> {
  return { authorization: `Bearer ${streamKey}`, 'content-type': 'application/sdp' };
}

export function postOffer(
  { ingest, streamKey }: Pick<TestInput, 'streamKey' | 'ingest'>,
  body: string,
  headers = {},
): Promise<Response> {
  return fetch(ingest.whip ?? '', { method: 'POST', body, headers: { ...headersOf({ streamKey }), ...headers } });
}

/** A client that sends what ffmpeg encodes, in real time. */
export class WhipClient {
  readonly #peer: RTCPeerConnection;
  readonly #tracks = { video: new MediaStreamTrack({ kind: 'video' }), audio: new MediaStreamTrack({ kind: 'audio' }) };
  readonly #codec: 'H264' | 'VP8';
  readonly #closing: (() => Promise<void> | void)[] = [];

  constructor(codec: 'H264' | 'VP8') {
    this.#codec = codec;
    const video = codec === 'H264' ? useH264({ payloadType: 96 }) : useVP8({ payloadType: 96 });
    this.#peer = new RTCPeerConnection({
      ...{ bundlePolicy: 'max-bundle', iceServers: [], iceAdditionalHostAddresses: ['127.0.0.1'] },
      codecs: { video: [video], audio: [useOPUS({ payloadType: 97 })] },
    });
    for (const track of Object.values(this.#tracks)) this.#peer.addTransceiver(track, { direction: 'sendonly' });
  }

  async offer(): Promise<string> {
    await this.#peer.setLocalDescription(await this.#peer.createOffer());
    return this.#peer.localDescription?.sdp ?? '';
  }

  async answered(sdp: string): Promise<void> {
    await this.#peer.setRemoteDescription({ type: 'answer', sdp });
    await until(() => this.#peer.connectionState === 'connected', 'the client never connected');
  }

  /** Sends a moving picture and a tone, or what these filters make. */
  async send(live: LiveFixture, { picture = 'testsrc2=s=320x180:r=25', sound = 'sine=r=48000' } = {}): Promise<void> {
    const [video, audio] = [await this.#forward('video'), await this.#forward('audio')];
    const inputs = ['-re', '-f', 'lavfi', '-i', picture, '-re', '-f', 'lavfi', '-i', sound];
    const codec = [...(this.#codec === 'H264' ? H264 : VP8), '-g', '50', '-force_key_frames', 'expr:gte(t,n_forced*2)'];
    const outputs = [
      ...['-map', '0:v', ...codec, '-payload_type', '96', '-f', 'rtp', `rtp://127.0.0.1:${video}?pkt_size=1200`],
      ...['-map', '1:a', '-c:a', 'libopus', '-payload_type', '97', '-f', 'rtp', `rtp://127.0.0.1:${audio}`],
    ];
    const encoder = live.run([...inputs, ...outputs]);
    this.#closing.push(() => encoder.kill());
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0)) await close();
    await this.#peer.close();
  }

  /** A port whose packets are sent as those of a track. */
  async #forward(kind: 'video' | 'audio'): Promise<number> {
    const socket = createSocket('udp4');
    socket.on('message', (packet) => this.#tracks[kind].writeRtp(packet));
    this.#closing.push(() => void socket.close());
    return new Promise((done) => socket.bind(0, '127.0.0.1', () => done(socket.address().port)));
  }
}
