import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, extname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { newVisitor } from '../../../e2e/support/browser.ts';
import { sharedStage } from '../../../e2e/support/stage.ts';
import { messageBody, messageHeaders } from '../../../server/src/domains/integrations/webhooks/webhook-message.ts';
import { makeWebhookSecret } from '../../../server/src/domains/integrations/webhooks/webhook-secret.ts';
import { bundled, EXPECTED, installClient, PROGRAM, ROOT, run, tsc } from './installed-client.fixture.ts';
import { workerdOf } from './workerd.fixture.ts';

/** What the client takes from its runtime: APIs of the Web. */
const WEB = [
  ...['AbortController', 'Blob', 'Headers', 'ReadableStream', 'TextDecoder', 'TextDecoderStream', 'TextEncoder'],
  ...['atob', 'clearTimeout', 'crypto', 'fetch', 'performance', 'setTimeout'],
];

/** `@reelgraph/client` as npm gives it to a project that has nothing else, and the runtimes that it names. */
const stage = sharedStage();
let project: string;

before(async () => {
  project = await installClient(stage.folder);
  await writeFile(join(project, 'program.js'), PROGRAM);
});

describe('the packed package', () => {
  test('holds the built modules and their types, and no sources or tests', async () => {
    const files = await readdir(join(project, 'node_modules/@reelgraph/client'), { recursive: true });
    assert.deepEqual(files.filter((name) => !name.startsWith('dist')).sort(), ['README.md', 'package.json']);
    const caches = ['caches/apollo', 'caches/relay', 'caches/urql'];
    for (const name of ['index', 'select/index', 'generated/methods.gen', 'node/index', ...caches])
      assert.ok(files.includes(`dist/${name}.js`) && files.includes(`dist/${name}.d.ts`), name);
    assert.deepEqual(
      files.filter((name) => /(?<!\.d)\.ts$|\.test\.|examples/.test(name)),
      [],
    );
  });

  test('has entries with types first, all of which exist', async () => {
    const folder = join(project, 'node_modules/@reelgraph/client');
    const {
      exports: entries,
      type,
      sideEffects,
      dependencies,
    } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    assert.deepEqual([type, sideEffects, dependencies], ['module', false, undefined]);
    const { './package.json': own, ...modules } = entries;
    assert.equal(own, './package.json');
    assert.deepEqual(Object.keys(modules), [
      '.',
      './operations',
      './select',
      './apollo',
      './relay',
      './urql',
      './node',
    ]);
    for (const conditions of Object.values<Record<string, string>>(modules)) {
      assert.deepEqual(Object.keys(conditions), ['types', 'default']);
      for (const file of Object.values(conditions)) assert.ok(existsSync(join(folder, file)), file);
    }
  });
});

describe('types in a project that has only the package', () => {
  const PROGRAM_OF_TYPES = `import { createClient, createCoreClient, upload, type Content } from '@reelgraph/client';
import { content } from '@reelgraph/client/operations';
import { possibleTypes, typePolicies } from '@reelgraph/client/apollo';
import { getDataID } from '@reelgraph/client/relay';
import { query, type Selection } from '@reelgraph/client/select';
import { keys } from '@reelgraph/client/urql';

typePolicies satisfies Record<string, { merge?: boolean }>;
possibleTypes satisfies { [name: string]: string[] };
getDataID({ id: 'did:…' }, 'Me') satisfies string | null;
keys satisfies Record<string, () => null>;
const core = createCoreClient({ url: 'https://video.example.com', key: 'key' }, { content });
const found: Content = await core.content({ id: 'did:…' });
const card = { id: true, metadata: { title: true } } satisfies Selection<'Content'>;
const chosen = await core.request(query({ 'one: content': [{ id: found.id }, card] }));
chosen.one?.metadata.title satisfies string | undefined;
// @ts-expect-error: not among the operations of this client
core.contents;
// @ts-expect-error: not selected
chosen.one?.status;
await upload(core, new Blob(['x']), { title: 'x' });
createClient({ url: 'https://video.example.com' }).contents.all satisfies object;
`;
  const OPTIONS = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable'];

  for (const [module, resolution] of [
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const)
    test(`compile with moduleResolution ${resolution}`, async () => {
      await writeFile(join(project, 'types.ts'), PROGRAM_OF_TYPES);
      const how = ['--module', module, '--moduleResolution', resolution];
      await tsc([...OPTIONS, ...how, 'types.ts'], project);
    });

  test('of 50 selections take the compiler little work', async (t) => {
    const blocks = Array.from(
      { length: 50 },
      (_, n) => `export const s${n} = query({ 'a${n}: contents': [{ first: ${n} }, { totalCount: true, pageInfo: {
  hasNextPage: true }, edges: { cursor: true, node: { id: true, status: true, metadata: { title: true },
  channel: { id: true, name: true }, on: { Serie: { seasons: { totalCount: true } } } } } }] });
`,
    );
    const head = `import { createCoreClient } from '@reelgraph/client';
import { query } from '@reelgraph/client/select';
const client = createCoreClient({ url: 'https://video.example.com' });
`;
    const uses = blocks.map((_, n) => `(await client.request(s${n})).a${n}.edges[0]?.node.channel.name.at(0);\n`);
    await writeFile(join(project, 'none.ts'), `${head}query({ me: { id: true } });\n`);
    await writeFile(join(project, 'many.ts'), [head, ...blocks, ...uses].join(''));
    const measure = async (file: string) => {
      const how = ['--module', 'nodenext', '--skipLibCheck', '--extendedDiagnostics'];
      const text = await tsc([...OPTIONS, ...how, file], project);
      const of = (name: string) => Number(new RegExp(`^${name}: +([\\d.]+)`, 'm').exec(text)?.[1]);
      return { instantiations: of('Instantiations'), types: of('Types'), checkSeconds: of('Check time') };
    };
    const [none, many] = [await measure('none.ts'), await measure('many.ts')];
    t.diagnostic(`without selections ${JSON.stringify(none)}, with 50 ${JSON.stringify(many)}`);
    assert.ok(many.instantiations < 400_000, `${many.instantiations} instantiations`);
  });
});

describe('the package runs, with a query, an upload, a subscription and a webhook, in', () => {
  let input: object;
  before(async () => {
    const { key } = await stage.account();
    const secret = makeWebhookSecret();
    const data = { id: 'did:reelgraph:event/1', channel: 'did:a', subject: 'did:b', payload: {} };
    const body = messageBody({ id: 'msg_1', type: 'content.published', occurredAt: new Date().toISOString(), data });
    const headers = messageHeaders('msg_1', body, [secret], Date.now());
    input = { url: stage.baseUrl, key, secret, body, headers };
  });

  test('Node: this one, and every other one on the path', async (t) => {
    const text = `import { program } from './program.js';
console.log(JSON.stringify(await program(${JSON.stringify(input)})));
`;
    await writeFile(join(project, 'node.js'), text);
    const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
    const nodes = new Set([process.execPath, ...folders.map((folder) => join(folder, 'node'))].filter(existsSync));
    for (const node of nodes) {
      t.diagnostic(await run(node, ['--version'], project));
      assert.deepEqual(JSON.parse(await run(node, ['node.js'], project)), EXPECTED);
    }
  });

  test('a context with the APIs of the Web only', async () => {
    const context = createContext(Object.fromEntries(WEB.map((name) => [name, Reflect.get(globalThis, name)])));
    assert.equal(
      runInContext('[typeof process, typeof Buffer, typeof require].join()', context),
      'undefined,undefined,undefined',
    );
    runInContext(await bundled(project, 'program.js', 'iife'), context);
    const result: Promise<unknown> = runInContext(`bundle.program(${JSON.stringify(input)})`, context);
    assert.deepEqual(JSON.parse(JSON.stringify(await result)), EXPECTED);
  });

  const { WORKERD } = process.env;
  test('workerd, the runtime of Cloudflare', { skip: WORKERD ? false : 'WORKERD names no binary' }, async () => {
    await writeFile(
      join(project, 'worker.js'),
      `import { program } from './program.js';
export default {
  fetch: async (request) =>
    request.method === 'GET' ? new Response('up') : Response.json(await program(await request.json())),
};
`,
    );
    const worker = await workerdOf(WORKERD ?? '', stage.folder, await bundled(project, 'worker.js', 'es'));
    try {
      const response = await fetch(worker.url, { method: 'POST', body: JSON.stringify(input) });
      assert.deepEqual(await response.json(), EXPECTED);
    } finally {
      await worker.stop();
    }
  });

  test('a browser by an import map, with the files of the package as they are', async () => {
    const types: Readonly<Record<string, string>> = { '.js': 'text/javascript' };
    const { exports: entries } = JSON.parse(
      await readFile(join(project, 'node_modules/@reelgraph/client/package.json'), 'utf8'),
    );
    const imports = Object.fromEntries(
      Object.entries<{ default?: string }>(entries)
        .filter(([name, { default: file }]) => file && name !== './node')
        .map(([name, { default: file }]) => [
          `@reelgraph/client${name.slice(1)}`,
          `/node_modules/@reelgraph/client/${file?.slice(2)}`,
        ]),
    );
    const page = `<!doctype html><title>Import map</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">import { program } from './program.js'; globalThis.program = program;</script>`;
    const site = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://site');
      const text = pathname === '/' ? page : await readFile(join(project, pathname), 'utf8').catch(() => null);
      if (text === null) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': types[extname(pathname)] ?? 'text/html' }).end(text);
    });
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    after(() => {
      site.close();
      site.closeAllConnections();
    });
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`; // it listens on TCP
    const { page: tab, context, errors } = await newVisitor(stage.browser, address);
    await tab.goto('/');
    await tab.waitForFunction('globalThis.program');
    assert.deepEqual(await tab.evaluate(`program(${JSON.stringify(input)})`), EXPECTED);
    assert.deepEqual(errors, []);
    await context.close();
  });
});

test('the core names no API of Node', async () => {
  const folder = join(ROOT, 'clients/typescript/src');
  const sources = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('node/') && !name.endsWith('.test.ts'),
  );
  for (const name of sources) {
    const text = (await readFile(join(folder, name), 'utf8')).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    assert.doesNotMatch(text, /\b(process|Buffer|require|__dirname|setImmediate)\s*[.([]|from 'node:/, name);
  }
});
