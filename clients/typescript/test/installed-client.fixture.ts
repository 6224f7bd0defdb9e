import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';

export const ROOT = join(import.meta.dirname, '../../..');
const exec = promisify(execFile);

/** Runs a program of the repository; its output, also of one that fails. */
export async function run(file: string, args: readonly string[], cwd: string): Promise<string> {
  const found = await exec(file, [...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 26 }).catch(
    (error: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error(`${file} ${args.join(' ')}\n${error.stdout ?? ''}${error.stderr ?? ''}${error.message}`);
    },
  );
  return found.stdout;
}

export const tsc = (args: readonly string[], cwd: string) => run(join(ROOT, 'node_modules/.bin/tsc'), args, cwd);

/** Builds and packs the client in `folder`, as a release does, and installs it there in an empty project. */
export async function installClient(folder: string): Promise<string> {
  const source = join(folder, 'client');
  const project = join(folder, 'project');
  const own = (path: string) => !/\/typescript\/(dist|node_modules|test)(\/|$)/.test(path);
  await cp(join(ROOT, 'clients/typescript'), source, { recursive: true, filter: own });
  await tsc(['-p', 'tsconfig.build.json', '--typeRoots', join(ROOT, 'node_modules/@types')], source);
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], source);
  const tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? 'none.tgz');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'empty', type: 'module', private: true }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], project);
  return project;
}

/** A program of the project as one file, for runtimes without packages. */
export async function bundled(project: string, entry: string, format: 'es' | 'iife'): Promise<string> {
  const created = await build({
    configFile: false,
    logLevel: 'silent',
    root: project,
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: [format], name: 'bundle' },
    },
  });
  const [first] = Array.isArray(created) ? created : [created];
  if (!first || !('output' in first)) throw new Error('vite built nothing');
  return first.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
}

/** What every runtime runs: it uses nothing but the package and the Web's own APIs. */
export const PROGRAM = `import { createCoreClient, upload } from '@reelgraph/client';
import { verifyWebhook, WebhookVerificationError } from '@reelgraph/client';
import { contentUpdated, createContent } from '@reelgraph/client/operations';
import { query } from '@reelgraph/client/select';

export async function program({ url, key, secret, body, headers }) {
  const client = createCoreClient({ url, key }, { contentUpdated, createContent });
  const { id } = await client.createContent({ input: { title: 'From elsewhere' } });
  const { content } = await client.request(query({ content: [{ id }, { metadata: { title: true } }] }));
  let sentBytes = 0;
  const file = new Blob([new Uint8Array(300_000)], { type: 'video/mp4' });
  await upload(client, file, {
    title: 'A blob',
    wait: false,
    maxChunkBytes: 100_000,
    onProgress: (progress) => { sentBytes = progress.sentBytes; },
  });
  let followed = null;
  for await (const { metadata } of client.contentUpdated({ id })) {
    followed = metadata.title;
    break;
  }
  const { type } = await verifyWebhook(body, new Headers(headers), secret);
  const forged = await verifyWebhook(body + ' ', headers, secret).catch((error) =>
    error instanceof WebhookVerificationError ? error.reason : String(error));
  return { title: content.metadata.title, sentBytes, followed, type, forged };
}
`;

export const EXPECTED = {
  title: 'From elsewhere',
  sentBytes: 300_000,
  followed: 'From elsewhere',
  type: 'content.published',
  forged: 'forged',
};
