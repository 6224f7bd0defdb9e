import { type ChildProcess, spawn } from 'node:child_process';
import { after } from 'node:test';

/** An encoder that publishes in real time. */
export interface Encoder {
  /** What it says of errors, once it has ended. */
  readonly ended: Promise<string>;
  /** Breaks its connection. */
  kill(): void;
  /** Has it say that the broadcast is over. */
  stop(): void;
}

/**
 * For the start of a journeys file: has ffmpeg publish a moving picture and a tone, which may begin later; all end with
 * the file.
 */
export function encoders(): (address: string, key: string, soundAfterSeconds?: number) => Encoder {
  const running = new Set<ChildProcess>();
  after(() => {
    for (const encoder of running) encoder.kill('SIGKILL');
  });
  return (address, key, soundAfterSeconds = 0) => {
    const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25'];
    const sound = ['-re', '-itsoffset', `${soundAfterSeconds}`, '-f', 'lavfi', '-i', 'sine=r=48000'];
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-c:a', 'aac'];
    const output = ['-sc_threshold', '0', '-f', 'flv', `${address}/${key}`];
    const all = ['-v', 'error', ...picture, ...sound, ...codecs, ...output];
    const encoder = spawn(process.env.FFMPEG_PATH ?? 'ffmpeg', all, { stdio: ['ignore', 'ignore', 'pipe'] });
    running.add(encoder);
    let said = '';
    encoder.stderr.on('data', (text: Buffer) => {
      said += text.toString();
    });
    return {
      ended: new Promise((resolve) => encoder.once('close', () => resolve(said))),
      kill: () => void encoder.kill('SIGKILL'),
      stop: () => void encoder.kill('SIGINT'),
    };
  };
}
