import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { makeClip } from '../../../e2e/support/clips.ts';
import { buildWheel } from '../../../scripts/python-wheel.ts';
import { messageBody, messageHeaders } from '../../../server/src/domains/integrations/webhooks/webhook-message.ts';
import { makeWebhookSecret } from '../../../server/src/domains/integrations/webhooks/webhook-secret.ts';
import { freePort } from '../../../server/src/platform/config/free-port.ts';
import { until } from '../../../server/src/testing/until.ts';
import { createClient } from '../../typescript/src/index.ts';
import { ownTestPlatform } from '../../typescript/test/platform.fixture.ts';
import { PACKAGE, runPython, startPython } from './python.fixture.ts';
import { examplesOf, programOf } from './readme-examples.ts';

/** The package as users install it: a wheel in a virtual environment, its types checked, and used as in its README. */
const platform = ownTestPlatform({});
const secret = makeWebhookSecret();
/** The interpreter of the environment that the wheel is installed in. */
let python = '';
let env: Record<string, string> = {};
let port = 0;
let contentId = '';
let playlistId = '';

before(async () => {
  await buildWheel(platform.folder);
  const environment = join(platform.folder, 'environment');
  await runPython(['-m', 'venv', '--system-site-packages', environment]);
  python = join(environment, 'bin/python');
  const wheel = readdirSync(platform.folder).find((name) => name.endsWith('.whl')) ?? assert.fail('there is no wheel');
  const install = ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', join(platform.folder, wheel)];
  await runPython(install, { PYTHONPATH: '' }, python);
  makeClip(platform.folder, 'video.mp4', 2);
  const client = createClient({ url: platform.url, key: platform.key });
  contentId = (await client.createContent({ input: { title: 'Of the examples' } })).id;
  playlistId = (await client.createPlaylist({ input: { title: 'Of the examples' } })).id;
  port = await freePort();
  env = { PYTHONPATH: '', REELGRAPH_KEY: platform.key, WEBHOOK_SECRET: secret };
});

const run = (...args: string[]) => runPython(args, env, python);

describe('the wheel', () => {
  it('is imported where it was installed, with its types and its version', async () => {
    const program = 'import reelgraph; print(reelgraph.__file__, reelgraph.__version__)';
    const [path = '', version] = (await run('-c', program)).trim().split(' ');
    assert.ok(path.startsWith(join(platform.folder, 'environment')), path);
    const { version: ours } = JSON.parse(readFileSync(join(PACKAGE, '../../package.json'), 'utf8'));
    assert.equal(version, ours);
    assert.ok(readdirSync(join(path, '..')).includes('py.typed'));
  });

  it('loads no HTTP client for webhooks, and no models before the first response', async () => {
    const loaded = async (program: string) =>
      (await run('-c', `${program}\nimport sys\nprint(*sys.modules)`)).trim().split(' ');
    const webhooks = await loaded('from reelgraph import verify_webhook');
    assert.ok(webhooks.includes('reelgraph.webhooks') && !webhooks.includes('httpx'));
    const client = await loaded('from reelgraph import Reelgraph; Reelgraph("http://localhost")');
    assert.ok(client.includes('reelgraph.client') && !client.includes('reelgraph.models'));
  });
});

describe('the types', () => {
  const mypy = (...args: string[]) =>
    runPython(['-m', 'mypy', '--cache-dir', join(platform.folder, 'mypy'), ...args], { PYTHONPATH: '' });

  it('of the package are strict', async () => {
    assert.match(await mypy('-p', 'reelgraph'), /^Success: no issues found in \d+ source files/);
  });

  it('are those that a program relies on', async () => {
    const config = join(PACKAGE, 'pyproject.toml');
    assert.match(await mypy('--config-file', config, join(import.meta.dirname, 'types_of_users.py')), /^Success/);
  });
});

describe('the examples of the README', () => {
  const examples = examplesOf(readFileSync(join(PACKAGE, 'README.md'), 'utf8'));

  /** What each example prints. */
  const outputs: Readonly<Record<string, RegExp>> = {
    'A first call 1': /^someone_\w+ publishes in someone_\w+\n$/,
    'A first call 2': /^DRAFT A loud morning 0 \d{4}\n$/,
    'Uploads 1': /^0 of \d+ bytes\n[\s\S]*processed: 100 %\ndid:reelgraph:content\/\S+ COMPLETE\n$/,
    'Uploads 2': /^$/,
    'Lists 1': /^\d+ \[/,
    'Asynchronous programs 1': /^someone_\w+ \d+\n/,
    'Analytics 1': /^\d+ /,
    'Objects of several types 1': /^FEATURE Of the examples\n$/,
    'Documents of your own 1': /^\{'outputAssets': None\}\nNone\n$/,
    'Documents of your own 2': /^\[\{'id': 'did:reelgraph:content\/feature/,
    'Events 1': /^COMMENT_CREATED did:reelgraph:comment\/\S+ \S+\n$/,
    'Webhooks 1': /^msg_1 content\.published did:\S+\n$/,
    'Errors 1': /^FIELD_REQUIRED input\.title .*\/docs\/errors\/field_required \S+\n$/,
    'Retries, time and limits 1': /^$/,
  };

  it('all have an expectation', () => {
    assert.deepEqual(
      examples.map(({ name }) => name),
      Object.keys(outputs),
    );
  });

  for (const example of examples) {
    const { name } = example;
    it(`run: ${name}`, async () => {
      const path = join(platform.folder, `${name.replaceAll(/\W+/g, '_')}.py`);
      const replaced = { 'https://video.example.com': platform.url, '8080': String(port) };
      writeFileSync(path, programOf(example, { url: platform.url, contentId, playlistId }, replaced));
      const ended = new AbortController();
      const meanwhile = name === 'Events 1' ? comment(ended.signal) : null;
      const output = name === 'Webhooks 1' ? await served(path) : await runIn(path);
      ended.abort();
      await meanwhile;
      assert.match(output, outputs[name] ?? /^$/);
    });
  }

  /** Examples read and write files of the working folder. */
  const runIn = (path: string) =>
    run(
      '-c',
      `import os, runpy; os.chdir(${JSON.stringify(platform.folder)}); runpy.run_path(${JSON.stringify(path)})`,
    );

  /** Repeats a change until the example has received its event. */
  async function comment(signal: AbortSignal): Promise<void> {
    const client = createClient({ url: platform.url, key: platform.key });
    for (let n = 0; !signal.aborted; n += 1) {
      await client.createComment({ contentId, body: `Comment ${n}` });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }

  /** Sends the example's server a message of the platform and a forged one, and returns what it prints. */
  async function served(path: string): Promise<string> {
    const child = startPython(['-u', path], env, python);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    try {
      const data = { id: 'did:reelgraph:event/1', channel: 'did:reelgraph:channel/1', subject: contentId, payload: {} };
      const body = messageBody({ id: 'msg_1', type: 'content.published', occurredAt: new Date().toISOString(), data });
      const headers = messageHeaders('msg_1', body, [secret], Date.now());
      const send = async (text: string): Promise<number | null> =>
        (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: text }).catch(() => null))?.status ??
        null;
      await until(async () => (await send(`${body} `)) === 400, 'The server does not start.');
      assert.equal(await send(body), 204);
      await until(() => output !== '', 'It prints nothing.');
      return output;
    } finally {
      child.kill();
    }
  }
});
