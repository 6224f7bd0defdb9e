import type { FlvTools } from '../ingest/flv-program.ts';

const LIMITS = { cpuSeconds: 20, memoryBytes: 1024 ** 3, outputBytes: 0, wallMs: 20_000 };
const ARGS = [
  ...['-hide_banner', '-loglevel', 'level+error', '-nostdin', '-nostats', '-protocol_whitelist', 'pipe'],
  ...['-xerror', '-f', 'mov', '-i', 'pipe:0', '-frames:v', '2', '-f', 'null', '-'],
];

/** Decodes the first pictures of a segment in the sandbox. @throws RunError where there are none. */
export async function requireDecodable({ runner, ffmpeg }: FlvTools, init: Buffer, segment: Buffer): Promise<void> {
  const child = await runner.startProgram(ffmpeg, ARGS, { limits: LIMITS, interactive: true });
  child.stdin.on('error', () => {}); // it needs no more
  child.stdout.resume();
  child.stdin.end(Buffer.concat([init, segment]));
  await child.ended;
}
