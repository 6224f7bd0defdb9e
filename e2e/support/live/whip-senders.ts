import { createSocket } from 'node:dgram';
import { Audio, cleanup, PeerConnection, type Track, Video } from 'node-datachannel';
import type { Browser } from 'playwright-core';
import { until } from '../../../server/src/testing/until.ts';
import { type Sender, startProgram } from './programs.ts';

/** Sends a white picture and a beep at the beginning of each second; the address of the session. */
const SEND = `async ({ address, key }) => {
  const sound = new AudioContext();
  await sound.resume();
  const output = sound.createMediaStreamDestination();
  const begin = sound.currentTime + 1;
  const beep = sound.createOscillator();
  beep.frequency.value = 1000;
  const volume = sound.createGain();
  volume.gain.value = 0;
  for (let second = 0; second < 600; second += 1) {
    volume.gain.setValueAtTime(1, begin + second);
    volume.gain.setValueAtTime(0, begin + second + 0.1);
  }
  beep.connect(volume).connect(output);
  beep.start();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [320, 180];
  const context = canvas.getContext('2d');
  const draw = () => {
    const at = sound.currentTime - begin;
    context.fillStyle = at > 0 && at % 1 < 0.1 ? 'white' : 'black';
    context.fillRect(0, 0, 320, 180);
    requestAnimationFrame(draw);
  };
  draw();
  const stream = canvas.captureStream();
  const peer = new RTCPeerConnection();
  for (const track of [...stream.getTracks(), ...output.stream.getTracks()])
    peer.addTransceiver(track, { direction: 'sendonly' });
  await peer.setLocalDescription();
  while (peer.iceGatheringState !== 'complete') await new Promise((done) => setTimeout(done, 20));
  const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/sdp' };
  const response = await fetch(address, { method: 'POST', headers, body: peer.localDescription.sdp });
  await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  return new URL(response.headers.get('Location'), response.url).href;
}`;

/** A page of the platform in Chromium that sends what it draws. */
export async function startChromium(browser: Browser, whip: string, key: string): Promise<Sender> {
  const page = await browser.newPage();
  await page.goto(new URL('/', whip).href);
  await page.mouse.click(1, 1); // sound is allowed after a click
  const session: string = await page.evaluate(`(${SEND})(${JSON.stringify({ address: whip, key })})`);
  return {
    output: () => '',
    async stop() {
      await endSession(session, key);
      await page.close();
    },
  };
}

/** libdatachannel, as programs for Node.js have it, with what ffmpeg encodes. */
export async function startDatachannel(whip: string, key: string, clip: string): Promise<Sender> {
  const peer = new PeerConnection('whip', { iceServers: [], disableAutoNegotiation: true });
  const [picture, sound] = [new Video('0', 'SendOnly'), new Audio('1', 'SendOnly')];
  picture.addH264Codec(VIDEO.type);
  picture.addSSRC(VIDEO.source, 'whip', 'whip', 'video');
  sound.addOpusCodec(AUDIO.type);
  sound.addSSRC(AUDIO.source, 'whip', 'whip', 'audio');
  const [video, audio] = [peer.addTrack(picture), peer.addTrack(sound)];
  peer.setLocalDescription('offer');
  await until(() => peer.gatheringState() === 'complete', 'the client has no candidates');
  const response = await fetch(whip, {
    ...{ method: 'POST', body: peer.localDescription()?.sdp ?? '' },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/sdp' },
  });
  peer.setRemoteDescription(await response.text(), 'answer');
  await until(() => video.isOpen() && audio.isOpen(), 'the client never connected');
  const startedAt = Date.now();
  const [videoPort, audioPort] = [await forward(video, VIDEO, startedAt), await forward(audio, AUDIO, startedAt)];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-profile:v', 'baseline'];
  const pictures = [...h264, '-pix_fmt', 'yuv420p', '-bsf:v', 'dump_extra', '-g', '60', '-sc_threshold', '0'];
  const encoder = startProgram('ffmpeg', [
    ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip],
    ...['-map', '0:v', ...pictures, ...rtpOutput(VIDEO, videoPort.port)],
    ...['-map', '0:a', '-c:a', 'libopus', ...rtpOutput(AUDIO, audioPort.port)],
  ]);
  const session = new URL(response.headers.get('location') ?? '', response.url).href;
  return {
    output: encoder.output,
    async stop() {
      await encoder.stop();
      await endSession(session, key);
      for (const { close } of [videoPort, audioPort]) close();
      peer.close();
      cleanup(); // its threads would keep the process
    },
  };
}

interface RtpStream {
  readonly type: number;
  readonly source: number;
  /** Of its timestamps, a second. */
  readonly rate: number;
}
const VIDEO: RtpStream = { type: 96, source: 1_001, rate: 90_000 };
const AUDIO: RtpStream = { type: 111, source: 1_002, rate: 48_000 };

function rtpOutput({ type, source }: RtpStream, port: number): string[] {
  const address = `rtp://127.0.0.1:${port}?pkt_size=1200`;
  return ['-payload_type', `${type}`, '-ssrc', `${source}`, '-f', 'rtp', address];
}

const REPORT_EVERY_MS = 500;
/** From 1900 to 1970, in seconds (RFC 868). */
const NTP_TO_UNIX = 2_208_988_800;

/**
 * A port whose packets are sent as those of a track, with reports that relate their times: both tracks begin at once.
 * Those of ffmpeg count from when it opened each output.
 */
async function forward(
  track: Track,
  stream: RtpStream,
  startedAt: number,
): Promise<{ readonly port: number; close(): void }> {
  const socket = createSocket('udp4');
  let first: number | null = null;
  socket.on('message', (packet) => {
    if (!track.isOpen()) return;
    first ??= packet.readUInt32BE(4);
    track.sendMessageBinary(packet);
  });
  const timer = setInterval(() => {
    if (first !== null && track.isOpen()) track.sendMessageBinary(senderReport(stream, first, startedAt, Date.now()));
  }, REPORT_EVERY_MS);
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return {
    port: socket.address().port,
    close() {
      clearInterval(timer);
      socket.close();
    },
  };
}

/** RFC 3550 section 6.4.1. */
function senderReport({ source, rate }: RtpStream, first: number, startedAt: number, nowMs: number): Buffer {
  const report = Buffer.alloc(28);
  report.writeUInt8(0x80, 0);
  report.writeUInt8(200, 1);
  report.writeUInt16BE(6, 2);
  report.writeUInt32BE(source, 4);
  report.writeUInt32BE(Math.floor(nowMs / 1_000) + NTP_TO_UNIX, 8);
  report.writeUInt32BE(Math.floor(((nowMs % 1_000) / 1_000) * 2 ** 32), 12);
  report.writeUInt32BE((first + Math.round(((nowMs - startedAt) / 1_000) * rate)) % 2 ** 32, 16);
  return report;
}

const endSession = (session: string, key: string): Promise<Response> =>
  fetch(session, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } });
