import type { Browser } from 'playwright-core';
import type { LiveTarget } from './broadcasts.ts';
import { startObs } from './obs.ts';
import { type Sender, startProgram } from './programs.ts';
import { startChromium, startDatachannel } from './whip-senders.ts';

interface SenderNeeds {
  /** Of `makeFlashClip`. */
  readonly clip: string;
  readonly browser: Browser;
  /** For what it writes. */
  readonly folder: string;
}

type StartSender = (to: LiveTarget, needs: SenderNeeds) => Promise<Sender>;

const FLV = ['-f', 'flv'];

/** What publishes to a live input, each as its users start it. */
export const SENDERS = {
  'ffmpeg RTMP': async ({ rtmp, streamKey }, { clip }) => ffmpeg(clip, [...FLV, `${rtmp}/${streamKey}`]),
  'ffmpeg RTMPS': async ({ rtmps, streamKey }, { clip }) => ffmpeg(clip, [...FLV, `${rtmps}/${streamKey}`]),
  'ffmpeg SRT': async ({ srt, srtPassphrase }, { clip }) =>
    ffmpeg(clip, ['-f', 'mpegts', `${srt}?passphrase=${srtPassphrase}&connect_timeout=60000`]),
  'OBS Studio': ({ rtmp, streamKey }, needs) => startObs(rtmp, streamKey, needs),
  'GStreamer rtmp2sink': async ({ rtmp, streamKey }, { clip }) =>
    gstreamer(clip, ['rtmp2sink', `location=${rtmp}/${streamKey}`]),
  'GStreamer rtmpsink': async ({ rtmp, streamKey }, { clip }) =>
    gstreamer(clip, ['rtmpsink', `location=${rtmp}/${streamKey} live=1`]),
  'Chromium WHIP': ({ whip, streamKey }, { browser }) => startChromium(browser, whip, streamKey),
  'node-datachannel WHIP': ({ whip, streamKey }, { clip }) => startDatachannel(whip, streamKey, clip),
} satisfies Record<string, StartSender>;

export type SenderName = keyof typeof SENDERS;

function ffmpeg(clip: string, output: readonly string[]): Sender {
  const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '60', '-sc_threshold', '0'];
  return startProgram('ffmpeg', [
    '-v',
    'error',
    '-re',
    '-stream_loop',
    '-1',
    '-i',
    clip,
    ...x264,
    '-c:a',
    'aac',
    ...output,
  ]);
}

/** With pictures that are encoded in another order than they are shown. */
function gstreamer(clip: string, sink: readonly string[]): Sender {
  const x264 = 'x264enc speed-preset=veryfast bframes=2 rc-lookahead=10 key-int-max=60 option-string=scenecut=0';
  const pipeline = `filesrc location=${clip} ! matroskademux name=clip
    clip.video_0 ! queue ! jpegdec ! videoconvert ! ${x264} ! h264parse ! queue ! out.
    clip.audio_0 ! queue ! audioconvert ! audioresample ! voaacenc ! aacparse ! queue ! out.
    flvmux name=out streamable=true !`;
  const program = startProgram('gst-launch-1.0', ['-q', '-e', ...pipeline.split(/\s+/), ...sink, 'sync=true']);
  // `voaacenc` has its sound 1,600 samples late, and does not say so.
  return { ...program, soundLateMs: 1_600 / 48 };
}
