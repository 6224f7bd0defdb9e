import { spawn } from 'node:child_process';

/** Runs a tool that npm installed; null when it is content, otherwise what it says. */
export function runTool(tool: string, ...args: string[]): Promise<string | null> {
  const child = spawn(`node_modules/.bin/${tool}`, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (status) => {
      resolve(status === 0 ? null : Buffer.concat(said).toString().trim() || `${tool} ended with status ${status}`);
    });
  });
}
