import { spawn } from 'node:child_process';

/** Runs an installed tool; returns null on success, otherwise its output. */
export function runTool(tool: string, ...args: string[]): Promise<string | null> {
  const child = spawn(`node_modules/.bin/${tool}`, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (status) => {
      resolve(status === 0 ? null : Buffer.concat(output).toString().trim() || `${tool} ended with status ${status}`);
    });
  });
}
