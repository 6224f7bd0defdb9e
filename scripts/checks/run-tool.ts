import { spawnSync } from 'node:child_process';

/** Runs a tool that npm installed; null when it is content, otherwise what it says. */
export function runTool(tool: string, ...args: string[]): string | null {
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${tool}`, args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
  return status === 0 ? null : `${stdout}${stderr}`.trim() || `${tool} ended with status ${status}`;
}
