import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import type { Runner } from '../media/index.ts';
import { withReconnect } from '../platform/db/with-reconnect.ts';
import type { Logger } from '../platform/log.ts';
import { DEMO_CLIPS, type DemoClip, demoClipArguments } from './demo-clips.ts';

export interface DemoAccount {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

/** The demo account of this data folder, if it exists. */
export function readDemoAccount(dataDir: string): DemoAccount | null {
  const file = demoFile(dataDir);
  // Only keepDemoAccount writes the file.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoAccount) : null;
}

/** Stores the account with mode 0600: its password is random and shown only to the operator. */
export function keepDemoAccount(dataDir: string, account: DemoAccount): void {
  writeFileSync(demoFile(dataDir), `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600 });
}

/** The file with the demo account's password and key. */
export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/** Address and key of the API. */
interface DemoCaller {
  readonly address: string;
  readonly apiKey: string;
  readonly runner: Runner;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Publishes missing demo clips through the public API, like a user: `publishVideo`, then a PUT of the file to the
 * address it returns.
 */
export async function publishDemoClips(options: DemoCaller): Promise<void> {
  const present = await ownTitles(options);
  const missing = DEMO_CLIPS.filter(({ title }) => !present.has(title));
  if (missing.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-demo-'));
  try {
    await options.runner.prepareWorkDir(folder);
    for (const clip of missing) {
      if (options.signal.aborted) return;
      await publishClip(clip, folder, options);
      options.log.info({ title: clip.title }, 'demo clip uploaded');
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const CLIP_LIMITS = { cpuSeconds: 120, memoryBytes: 4 * 1024 ** 3, outputBytes: 100 * 1024 ** 2, wallMs: 120_000 };

async function publishClip(clip: DemoClip, folder: string, options: DemoCaller): Promise<void> {
  await options.runner.run('ffmpeg', demoClipArguments(clip, clip.filename), {
    cwd: folder,
    limits: CLIP_LIMITS,
    signal: options.signal,
  });
  const bytes = await readFile(join(folder, clip.filename));
  const { publishVideo } = await ask<{ publishVideo: { upload: { endpoint: string } } }>(
    options,
    `mutation PublishDemoClip($input: PublishVideoInput!) { publishVideo(input: $input) { upload { endpoint } } }`,
    { input: { title: clip.title, summary: clip.summary, filename: clip.filename, size: bytes.length, publish: true } },
  );
  const endpoint = new URL(publishVideo.upload.endpoint);
  await calling(
    options,
    new URL(endpoint.pathname, options.address),
    { method: 'PUT', body: bytes },
    async (response) => {
      if (!response.ok)
        throw new Error(`The upload of ${clip.filename} failed with ${response.status}: ${await response.text()}`);
    },
  );
}

async function ownTitles(options: DemoCaller): Promise<Set<string>> {
  const { me } = await ask<{ me: { channel: { contents: { edges: { node: { metadata: { title: string } } }[] } } } }>(
    options,
    'query DemoTitles { me { channel { contents(first: 100) { edges { node { metadata { title } } } } } } }',
    {},
  );
  return new Set(me.channel.contents.edges.map(({ node }) => node.metadata.title));
}

function ask<Data>(options: DemoCaller, query: string, variables: object): Promise<Data> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${options.apiKey}`,
    // The API executes a repeated mutation once.
    ...(query.startsWith('mutation') ? { 'idempotency-key': randomUUID() } : {}),
  };
  const request = { method: 'POST', headers, body: JSON.stringify({ query, variables }) };
  return calling(options, new URL('/graphql', options.address), request, async (response) => {
    // The shape of the selection above.
    const { data, errors } = (await response.json()) as { data?: Data; errors?: { message: string }[] };
    if (errors?.length || !data)
      throw new Error(
        `The demo channel failed: ${errors?.map(({ message }) => message).join('; ') ?? response.status}`,
      );
    return data;
  });
}

/** Sends an idempotent request, and retries it while the database is unavailable: the server may be restarting. */
function calling<T>(
  { log, signal }: DemoCaller,
  url: URL,
  request: RequestInit,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  return withReconnect(
    async () => {
      const response = await fetch(url, { ...request, signal });
      if (response.status === 503) throw new AppError('SERVICE_UNAVAILABLE', await response.text());
      return read(response);
    },
    { log, step: 'demo clips' },
  );
}
