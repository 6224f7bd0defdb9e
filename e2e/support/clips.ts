import { spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepClip, takeKeptClip } from '../../server/src/media/clip-cache.fixture.ts';

/** A real clip: a moving test pattern and a tone. */
export function makeClip(folder: string, name: string, seconds = 8, size = '160x90'): string {
  const path = join(folder, name);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=15:duration=${seconds}`];
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=330:duration=${seconds}`];
  const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest'];
  runFfmpeg(path, [...picture, ...tone, ...encode]);
  return path;
}

/** A clip that browsers do not play, and that takes a while to encode. */
export function makeForeignClip(folder: string, name: string, seconds: number): string {
  const path = join(folder, name);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${seconds}`];
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=330:duration=${seconds}`];
  runFfmpeg(path, [...picture, ...tone, '-c:v', 'mpeg4', '-q:v', '12', '-c:a', 'mp3', '-shortest']);
  return path;
}

/** The picture of a counter clip: its frame number in binary, a column for each bit, the lowest one first. */
export const COUNTER = { width: 320, height: 180, bits: 10, bitWidth: 32, framesPerSecond: 25 };

/**
 * A clip that browsers play as it is, whose frames show their numbers, with a beep at each second; `scale` times as
 * large as `COUNTER`.
 */
export function makeCounterClip(folder: string, name: string, seconds: number, scale = 1): string {
  return makeCounting(folder, name, seconds, scale, ['-c:v', 'libx264', '-g', '50', '-bf', '2', '-c:a', 'aac']);
}

/** The same with so much noise that each size has a bit rate of its own. */
export function makeNoisyCounterClip(folder: string, name: string, seconds: number, scale: number): string {
  const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '1M', '-g', '50', '-bf', '2', '-c:a', 'aac'];
  return makeCounting(folder, name, seconds, scale, encode, ['-vf', 'noise=alls=40:allf=t']);
}

/** The same with a keyframe every ten seconds. */
export function makeLongGroupsClip(folder: string, name: string, seconds: number): string {
  return makeCounting(folder, name, seconds, 1, ['-c:v', 'libx264', '-g', '250', '-sc_threshold', '0', '-c:a', 'aac']);
}

/** The same as a clip that browsers do not play. */
export function makeForeignCounterClip(folder: string, name: string, seconds: number): string {
  return makeCounting(folder, name, seconds, 1, ['-c:v', 'mpeg4', '-q:v', '4', '-c:a', 'libopus']);
}

/** The same without some of its pictures, also all between 3.2 and 4.4 s: those that are left show their numbers. */
export function makeVariableCounterClip(folder: string, name: string, seconds: number): string {
  const kept = "select='not(between(n,80,110))*not(eq(mod(n,7),3))'";
  const encode = ['-c:v', 'libx264', '-g', '50', '-bf', '2', '-c:a', 'aac'];
  return makeCounting(folder, name, seconds, 1, encode, ['-vf', kept, '-fps_mode', 'passthrough']);
}

function makeCounting(
  folder: string,
  name: string,
  seconds: number,
  scale: number,
  encode: readonly string[],
  changed: readonly string[] = [],
): string {
  const path = join(folder, name);
  const { width, height, bitWidth, framesPerSecond } = COUNTER;
  const bit = `mod(floor(N/pow(2,floor(X/${bitWidth}))),2)`;
  const larger = `scale=${scale * width}:${scale * height}:flags=neighbor`;
  const source = `color=size=${width}x${height}:rate=${framesPerSecond}:duration=${seconds}`;
  const picture = ['-f', 'lavfi', '-i', `${source},format=yuv420p,geq=lum='16+219*${bit}':cb=128:cr=128,${larger}`];
  const beeps = `aevalsrc='0.8*sin(2*PI*1000*t)*lt(mod(t,1),0.1)':s=48000:d=${seconds}`;
  runFfmpeg(path, [...picture, '-f', 'lavfi', '-i', beeps, ...changed, ...encode, '-shortest']);
  return path;
}

/** What senders encode: black, with a white picture and a beep of 0.1 s at the beginning of each second. */
export function makeFlashClip(folder: string, name: string, seconds: number): string {
  const path = join(folder, name);
  const flash = "drawbox=c=white:t=fill:enable='lt(mod(n,30),3)'";
  const picture = ['-f', 'lavfi', '-i', `color=black:s=320x180:r=30:d=${seconds},${flash}`];
  const beeps = `aevalsrc='0.8*sin(2*PI*1000*t)*lt(mod(t,1),0.1)':s=48000:d=${seconds}`;
  // Decoded by all senders without effort.
  const codecs = ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le'];
  runFfmpeg(path, [...picture, '-f', 'lavfi', '-i', beeps, ...codecs]);
  return path;
}

/**
 * A clip that is quickly encoded, in a file that takes a while to send: padding follows the media (ISO/IEC 14496-12
 * section 8.1.2).
 */
export function makePaddedClip(folder: string, name: string): string {
  const path = makeClip(folder, name, 1);
  const free = Buffer.alloc(600_000);
  free.writeUInt32BE(free.length);
  free.write('free', 4);
  appendFileSync(path, free);
  return path;
}

/** A clip with embedded captions; `tracks` are SubRip texts by their language (ISO 639-2), of which some are forced. */
export function makeCaptionedClip(
  folder: string,
  name: string,
  tracks: Readonly<Record<string, string>>,
  forced: readonly string[] = [],
): string {
  const path = join(folder, name);
  const inputs = Object.entries(tracks).map(([language, text]) => {
    const file = join(folder, `${name}.${language}.srt`);
    writeFileSync(file, text);
    return file;
  });
  const maps = inputs.flatMap((_, index) => ['-map', `${index + 1}`]);
  const languages = Object.keys(tracks).flatMap((language, index) => [
    ...[`-metadata:s:s:${index}`, `language=${language}`],
    ...(forced.includes(language) ? [`-disposition:s:${index}`, 'forced'] : []),
  ]);
  const all = [makeClip(folder, `plain-${name}`), ...inputs];
  const sources = all.flatMap((file) => ['-i', file]);
  runFfmpeg(path, [...sources, '-map', '0', ...maps, '-c', 'copy', '-c:s', 'mov_text', ...languages], all);
  return path;
}

/** A clip with an audio track for each language (ISO 639-2), the first of which is in 5.1 and the default. */
export function makeTwoLanguageClip(folder: string, name: string, languages: readonly [string, string]): string {
  const path = join(folder, name);
  const tone = (hertz: number): string => `sine=frequency=${hertz}:duration=12`;
  const sources = ['testsrc2=size=320x180:rate=15:duration=12', `${tone(330)},aformat=channel_layouts=5.1`, tone(880)];
  const maps = sources.flatMap((_, index) => ['-map', `${index}`]);
  const tags = languages.flatMap((language, index) => [`-metadata:s:a:${index}`, `language=${language}`]);
  const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  const inputs = sources.flatMap((source) => ['-f', 'lavfi', '-i', source]);
  runFfmpeg(path, [...inputs, ...maps, ...encode, ...tags, '-disposition:a:1', '0']);
  return path;
}

/** Creates the file, or takes it from the cache. */
function runFfmpeg(path: string, args: readonly string[], inputs: readonly string[] = []): void {
  if (takeKeptClip(path, { args, inputs })) return;
  const { status, stderr } = spawnSync(process.env.FFMPEG_PATH ?? 'ffmpeg', ['-v', 'error', '-y', ...args, path], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The clip could not be encoded: ${stderr}`);
  keepClip(path, { args, inputs });
}
