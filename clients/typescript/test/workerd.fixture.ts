import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../server/src/platform/config/free-port.ts';

/** Starts a worker in workerd, which may reach this machine. */
export async function workerdOf(
  binary: string,
  folder: string,
  code: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const config = join(folder, 'worker.capnp');
  await writeFile(join(folder, 'bundle.js'), code);
  await writeFile(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "bundle.js", esModule = embed "bundle.js")],
      compatibilityDate = "2026-01-01",
      globalOutbound = "network",
    )),
    (name = "network", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
  );
  const child = spawn(binary, ['serve', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  for (let isUp = false; !isUp && child.exitCode === null; )
    isUp = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      () => true,
      () => false,
    );
  return {
    url,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
