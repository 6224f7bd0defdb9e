import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { makeClip } from '../../../e2e/support/clips.ts';
import { messageBody, messageHeaders } from '../../../server/src/domains/integrations/webhooks/webhook-message.ts';
import { makeWebhookSecret } from '../../../server/src/domains/integrations/webhooks/webhook-secret.ts';
import { freePort } from '../../../server/src/platform/config/free-port.ts';
import type * as Package from '../src/index.ts';
import { ownTestPlatform } from './platform.fixture.ts';
import { examplesOf, moduleOf } from './readme-examples.ts';

// Runs alone: it changes the working folder and the environment.

/** The package as users install it: built, small, and used as in its README. */
const PACKAGE = join(import.meta.dirname, '..');
const EXAMPLES = join(PACKAGE, 'dist/examples');
const ROOT = join(PACKAGE, '../..');
const tsc = (...args: string[]) =>
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), args, { cwd: ROOT, encoding: 'utf8' });

before(() => {
  tsc('-p', 'clients/typescript/tsconfig.build.json');
});

describe('the built package', () => {
  /** Size of a program with only this code, minified and gzipped, in bytes. */
  async function sizeOf(code: string): Promise<{ bytes: number; text: string }> {
    const entry = join(PACKAGE, 'dist/entry.js');
    const program = {
      name: 'program',
      resolveId: (id: string) => (id === entry ? id : null),
      load: (id: string) => (id === entry ? code : null),
    };
    const created = await build({
      configFile: false,
      logLevel: 'silent',
      root: PACKAGE,
      plugins: [program],
      build: {
        write: false,
        minify: true,
        rollupOptions: { input: entry, preserveEntrySignatures: 'strict', output: { format: 'es' } },
      },
    });
    assert.ok(!Array.isArray(created) && 'output' in created);
    const text = created.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
    return { bytes: gzipSync(text).length, text };
  }

  /** What a program without these parts must not contain. */
  const MARKS = { operations: /PublishVideo\(/, uploads: /tus-resumable/i, webhooks: /webhook-signature/ };

  /** Programs, what of the package they use, and the most bytes that they may weigh. */
  for (const [name, parts, mostBytes, code] of [
    ['verifyWebhook alone', ['webhooks'], 2_000, "export { verifyWebhook } from './index.js';"],
    ['createCoreClient alone', [], 8_000, "export { createCoreClient } from './index.js';"],
    [
      'createCoreClient with one operation',
      [],
      12_000,
      "import { createCoreClient } from './index.js'; import { content } from './generated/methods.gen.js';" +
        "export const client = createCoreClient({ url: 'https://video.example.com' }, { content });",
    ],
    [
      'createCoreClient with selections',
      [],
      12_000,
      "export { createCoreClient } from './index.js'; export { query } from './select/index.js';",
    ],
    [
      'createCoreClient with upload',
      ['operations', 'uploads'],
      12_000,
      "export { createCoreClient, upload } from './index.js';",
    ],
    ['createClient', ['operations', 'uploads'], 30_000, "export { createClient } from './index.js';"],
    [
      'everything',
      ['operations', 'uploads', 'webhooks'],
      35_000,
      "export * from './index.js'; export * from './select/index.js';",
    ],
  ] as const)
    it(`is small, and without what is not used: ${name}`, async (t) => {
      const { bytes, text } = await sizeOf(code);
      t.diagnostic(`${name}: ${bytes} bytes, gzipped`);
      assert.ok(bytes < mostBytes && bytes > 500, `${bytes} bytes, at most ${mostBytes}`);
      const found = Object.entries(MARKS).flatMap(([part, mark]) => (mark.test(text) ? [part] : []));
      assert.deepEqual(found, parts);
      assert.deepEqual(text.match(/\bfrom\s*["'`](?!:).{0,40}|\brequire\(.{0,40}|["'`]node:.{0,40}/g), null);
    });
});

describe('the examples of the README', () => {
  const examples = examplesOf(readFileSync(join(PACKAGE, 'README.md'), 'utf8'));
  const secret = makeWebhookSecret();
  const lines: string[] = [];
  const platform = ownTestPlatform({});
  let client: Package.Client;
  let port = 0;
  let contentId = '';
  let playlistId = '';
  const wasIn = process.cwd();

  before(async () => {
    port = await freePort();
    makeClip(platform.folder, 'video.mp4', 2);
    process.env.REELGRAPH_KEY = platform.key;
    process.env.WEBHOOK_SECRET = secret;
    process.chdir(platform.folder);
    const built: typeof Package = await import(join(PACKAGE, 'dist/index.js'));
    client = built.createClient({ url: platform.url, key: platform.key });
    contentId = (await client.createContent({ input: { title: 'Of the examples' } })).id;
    playlistId = (await client.createPlaylist({ input: { title: 'Of the examples' } })).id;
    mkdirSync(EXAMPLES, { recursive: true });
    writeFileSync(join(EXAMPLES, 'surroundings.ts'), SURROUNDINGS);
    writeFileSync(join(EXAMPLES, 'tsconfig.json'), JSON.stringify(TYPES));
    const replaced = { 'https://video.example.com': platform.url, '8080': String(port) };
    for (const [at, example] of examples.entries())
      writeFileSync(join(EXAMPLES, `${at}.ts`), moduleOf(example, replaced));
  });
  after(async () => {
    process.chdir(wasIn);
  });

  it('type-check', () => {
    tsc('-p', EXAMPLES);
  });

  /** Expected output or effect of each example of the README. */
  const outcomes: Readonly<Record<string, (result: unknown) => void | Promise<void>>> = {
    'A first call 1': () =>
      assert.match(lines.join(), /^someone_\w+ publishes in someone_\w+ and has \d+ permissions$/),
    'A first call 2': () => assert.deepEqual(lines, ['DRAFT A loud morning 0']),
    'Uploads 1': () =>
      assert.match(lines.join('\n'), /^0 of \d+[\s\S]*processed: 100 %\ndid:reelgraph:content\/\S+ COMPLETE$/),
    'Uploads 2': () => assert.deepEqual(lines, []),
    'Lists 1': () => assert.match(lines.join('\n'), /^\d+ \[/),
    'Analytics 1': () => assert.match(lines.join(), /^\d+ /),
    'Choose the fields 1': () => assert.match(lines.join('\n'), /^Of the examples 0/),
    'Custom documents 1': () => assert.deepEqual(lines, ['undefined']),
    'Custom documents 2': () => assert.match(lines.join(), /^\[\{"id":"did:reelgraph:content\/feature/),
    'Small programs 1': () => assert.equal(lines.at(-1), 'Of the examples'),
    'Events 1': () => assert.match(lines.join(), /^COMMENT_CREATED did:reelgraph:comment\/\S+ \S+$/),
    'Webhooks 1': (result) => receive(result as Server),
    'Errors 1': () => assert.match(lines.join(), /^FIELD_REQUIRED input\.title .*\/docs\/errors\/field_required \S+$/),
    'Retries, time and limits 1': () => assert.deepEqual(lines, []),
  };

  it('all have an expectation', () => {
    assert.deepEqual(
      examples.map(({ name }) => name),
      Object.keys(outcomes),
    );
  });

  for (const [at, { name }] of examples.entries()) {
    it(`run: ${name}`, async () => {
      lines.length = 0;
      const { default: example } = await import(join(EXAMPLES, `${at}.ts`));
      const quiet = { log: (...values: unknown[]) => lines.push(values.map(shown).join(' ')) };
      const done = new AbortController();
      const commenting = name === 'Events 1' ? comment(done.signal) : null;
      const result: unknown = await example({ client, console: quiet, contentId, playlistId });
      done.abort();
      await commenting;
      await outcomes[name]?.(result);
    });
  }

  /** Repeats a change until the example has received its event. */
  async function comment(until: AbortSignal): Promise<void> {
    for (let n = 0; !until.aborted; n += 1) {
      await client.createComment({ contentId, body: `Comment ${n}` });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }

  /** Sends the example's server a message of the platform and a forged one. */
  async function receive(server: Server): Promise<void> {
    try {
      const data = { id: 'did:reelgraph:event/1', channel: 'did:reelgraph:channel/1', subject: contentId, payload: {} };
      const body = messageBody({ id: 'msg_1', type: 'content.published', occurredAt: new Date().toISOString(), data });
      const send = (text: string) =>
        fetch(`http://127.0.0.1:${port}`, {
          method: 'POST',
          headers: messageHeaders('msg_1', body, [secret], Date.now()),
          body: text,
        });
      assert.deepEqual([(await send(body)).status, (await send(`${body} `)).status], [204, 400]);
      assert.deepEqual(lines, [`msg_1 content.published ${contentId}`]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
});

it('an example without `run` is an error', () => {
  assert.throws(() => examplesOf('# A\n\n```ts\nlet a = 1;\n```\n'), /Line 3: this example is not run/);
  assert.deepEqual(examplesOf('# A\n\n```ts run\nlet a = 1;\n```\n'), [{ name: 'A 1', code: 'let a = 1;' }]);
});

function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

const SURROUNDINGS = `import type { Client } from '@reelgraph/client';
export interface Surroundings {
  readonly client: Client;
  readonly console: { log(...values: unknown[]): void };
  readonly contentId: string;
  readonly playlistId: string;
}
`;

/** Type-checks a program that installs the package. */
const TYPES = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
  },
  include: ['*.ts'],
};
