import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  coerceInputValue,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  parse,
  validate,
} from 'graphql';
import { Webhook } from 'standardwebhooks';
import { adminUsage } from '../domains/accounts/index.ts';
import { LIST_STORAGE_COMMAND } from '../domains/assets/index.ts';
import { VERIFY_MEDIA_COMMAND } from '../domains/delivery/index.ts';
import { INSTALL_SPEECH_MODEL_COMMAND } from '../domains/enhance/index.ts';
import {
  backupCommands,
  DOCTOR_COMMAND,
  PREFLIGHT_COMMAND,
  ROTATE_SECRET_KEY_COMMAND,
} from '../domains/operations/index.ts';
import { processAgainCommand } from '../domains/transcode/index.ts';
import { parseDid } from '../gql/index.ts';
import { openingOf } from '../http/cors.ts';
import { describeSettings } from '../platform/config/config.ts';
import { freePort } from '../platform/config/free-port.ts';
import { platformSchema } from '../schema.ts';
import { codeOfGuide } from './testing.ts';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const MESSAGE = JSON.stringify({
  type: 'content.published',
  timestamp: new Date().toISOString(),
  data: { subject: 'did:reelgraph:content/feature/1' },
});

describe('guide to webhooks', () => {
  it('has valid operations', async () => {
    const [document = ''] = await codeOfGuide('webhooks', 'graphql');
    assert.deepEqual(validate(platformSchema(), parse(document)), []);
  });

  it('has a receiver that accepts signed messages and refuses forged ones', async () => {
    const [program = ''] = await codeOfGuide('webhooks', 'js');
    const port = await freePort();
    const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: SECRET };
    const receiver = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let output = '';
      receiver.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      const sent = new Date();
      const headers = (signature: string) => ({
        'content-type': 'application/json',
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(sent.getTime() / 1000)),
        'webhook-signature': signature,
      });
      const post = (signature: string) => postOnceUp(port, MESSAGE, headers(signature));
      assert.equal(await post(new Webhook(SECRET).sign('msg_1', sent, MESSAGE)), 204);
      assert.equal(await post(new Webhook(SECRET).sign('msg_2', sent, MESSAGE)), 400);
      // The receiver responds before it prints.
      for (const deadline = Date.now() + 10_000; output === '' && Date.now() < deadline; ) await sleep(10);
      assert.equal(output, 'content.published did:reelgraph:content/feature/1\n');
    } finally {
      receiver.kill();
    }
  });
});

describe('guide to playback tokens', () => {
  it('has valid operations', async () => {
    const [document = ''] = await codeOfGuide('playback-tokens', 'graphql');
    assert.deepEqual(validate(platformSchema(), parse(document)), []);
  });
});

describe('guide to tokens', () => {
  it('has valid operations', async () => {
    const documents = await codeOfGuide('tokens', 'graphql');
    assert.equal(documents.length, 3);
    for (const document of documents) assert.deepEqual(validate(platformSchema(), parse(document)), []);
  });
});

describe('guide to tests of titles and thumbnails', () => {
  it('has valid operations, and an impression of a variant', async () => {
    const documents = await codeOfGuide('title-tests', 'graphql');
    assert.equal(documents.length, 3);
    for (const document of documents) assert.deepEqual(validate(platformSchema(), parse(document)), []);
    const [, impression = ''] = await codeOfGuide('title-tests', 'json');
    const { kind, variant } = JSON.parse(impression) as Record<string, string>;
    assert.equal(kind, 'IMPRESSION');
    assert.deepEqual(parseDid('reelgraph', variant ?? ''), {
      kind: 'contentTestVariant',
      id: '01a1fbd9-f9ef-7000-a2d5-0118192635b5',
    });
  });
});

describe('guide to moderation', () => {
  it('has valid operations', async () => {
    const documents = await codeOfGuide('moderation', 'graphql');
    assert.equal(documents.length, 3);
    for (const document of documents) assert.deepEqual(validate(platformSchema(), parse(document)), []);
  });
});

describe('guides with commands', () => {
  for (const guide of ['analytics', 'players', 'moderation', 'pagination', 'playlists']) {
    it(`have valid operations: ${guide}`, async () => {
      const commands = (await codeOfGuide(guide, 'sh')).join('\n');
      const documents = Array.from(commands.matchAll(/gql '\n([\s\S]*?)\n\s*' |query = `([\s\S]*?)`/g));
      assert.ok(documents.length > 0);
      for (const [, sent, quoted] of documents)
        assert.deepEqual(validate(platformSchema(), parse(sent ?? quoted ?? '')), []);
    });
  }
});

describe('guide to analytics', () => {
  it('has valid operations, and names metrics, periods and costs as they are', async () => {
    const documents = await codeOfGuide('analytics', 'graphql');
    assert.equal(documents.length, 3);
    const schema = platformSchema();
    for (const document of documents) assert.deepEqual(validate(schema, parse(document)), []);
    const text = await readFile(new URL('../../../docs/guides/analytics.md', import.meta.url), 'utf8');
    for (const name of ['AnalyticsRange', 'AnalyticsMetric', 'AnalyticsGranularity'])
      for (const { name: value } of (schema.getType(name) as GraphQLEnumType).getValues())
        assert.ok(text.includes(`\`${value}\``), value);
    const fields = (schema.getType('CreatorAnalytics') as GraphQLObjectType).getFields();
    for (const [name, points] of Object.entries({ overview: 30, contents: 60, audience: 100, subscribers: 30 }))
      assert.match(fields[name]?.description ?? '', new RegExp(`Costs ${points} points more`));
  });
});

describe('guide to players', () => {
  it('has a reporter whose events are accepted', async () => {
    const [program = ''] = await codeOfGuide('players', 'js');
    const listeners = new Map<string, () => void>();
    const on = (type: string, listener: () => void) => void listeners.set(type, listener);
    const sent: { events: Record<string, unknown>[] }[] = [];
    const video = { currentTime: 0, paused: false, seeking: false, addEventListener: on };
    const scope = {
      document: { addEventListener: on },
      navigator: { sendBeacon: (_url: string, body: string) => sent.push(JSON.parse(body)) },
      setInterval: () => 0,
    };
    const make = new Function(...Object.keys(scope), `${program.replace('export ', '')}; return reportPlayback;`);
    make(...Object.values(scope))(video, 'did:reelgraph:content/feature/0198c0de-7a11-7000-8000-000000000001', '');
    const fire = (type: string, currentTime: number) => {
      video.currentTime = currentTime;
      listeners.get(type)?.();
    };
    fire('playing', 0);
    for (const at of [0, 1.5, 3]) fire('timeupdate', at);
    fire('seeking', 20);
    for (const at of [20, 22.25]) fire('timeupdate', at);
    fire('ended', 22.5);
    fire('visibilitychange', 22.5);
    const { events = [] } = sent[0] ?? {};
    const type = platformSchema().getType('EngagementEventInput') as GraphQLInputObjectType;
    for (const event of events) coerceInputValue(event, type);
    assert.deepEqual(
      events.map(({ kind, seq, ranges = [] }) => [kind, seq, ranges]),
      [
        ['START', 0, []],
        ['HEARTBEAT', 1, [{ startMs: 0, endMs: 3_000 }]],
        ['SEEK', 2, []],
        ['HEARTBEAT', 3, [{ startMs: 20_000, endMs: 22_250 }]],
        ['COMPLETE', 4, []],
      ],
    );
  });
});

describe('guide for programs of another service', () => {
  it('has valid operations, and lists the variables that are accepted', async () => {
    const [document = ''] = await codeOfGuide('another-service', 'graphql');
    const schema = platformSchema();
    assert.deepEqual(validate(schema, parse(document)), []);
    const text = await readFile(new URL('../../../docs/guides/another-service.md', import.meta.url), 'utf8');
    for (const name of ['URL', 'MimeType', 'BigInt', 'Long', 'Date']) {
      const [, accepted = ''] = new RegExp(`^\\| [^|]*\`${name}\`[^|]*\\| (.*) \\|$`, 'm').exec(text) ?? [];
      const { acceptsVariablesOf } = schema.getType(name)?.extensions ?? {};
      for (const other of acceptsVariablesOf as string[])
        assert.ok(accepted.includes(`\`${other}\``) || accepted.includes('each other'), `${name}: ${other}`);
    }
  });
});

describe('guides to YouTube', () => {
  for (const [guide, count] of [
    ['import-from-youtube', 3],
    ['publish-to-youtube', 2],
  ] as const) {
    it(`have valid operations: ${guide}`, async () => {
      const documents = await codeOfGuide(guide, 'graphql');
      assert.equal(documents.length, count);
      for (const document of documents) assert.deepEqual(validate(platformSchema(), parse(document)), []);
    });
  }
});

describe('guide to web pages', () => {
  it('has valid operations, and lists what the edge opens', async () => {
    const [document = ''] = await codeOfGuide('web-pages', 'graphql');
    assert.deepEqual(validate(platformSchema(), parse(document)), []);
    const text = await readFile(new URL('../../../docs/guides/web-pages.md', import.meta.url), 'utf8');
    const rows = Array.from(text.matchAll(/^\| (`\/.*) \|.*\|$/gm), ([, first = '']) => first);
    const paths = rows.flatMap((row) =>
      Array.from(row.matchAll(/`(\/[^`]*)`/g), ([, path = '']) => path.replace('…', '/x').replace('//', '/')),
    );
    assert.ok(paths.length > 6);
    for (const path of paths.filter((each) => !each.startsWith('/.well-known'))) assert.ok(openingOf(path), path);
  });
});

/** The status of a POST to a program that may still be starting. */
async function postOnceUp(port: number, body: string, headers: Record<string, string>): Promise<number> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers }).catch(
      (error: unknown) => {
        if (Date.now() > deadline) throw error;
        return null;
      },
    );
    if (response) return response.status;
    await sleep(50);
  }
}

describe('guide to self-hosting', () => {
  it('mentions only existing settings and commands', async () => {
    const settings = new Set(
      describeSettings().flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
    );
    const blocks = (await codeOfGuide('self-hosting', 'console')).join('\n');
    const named = Array.from(blocks.matchAll(/(?:^export| )\s*([A-Z][A-Z0-9_]+)=/gm), ([, name = '']) => name);
    assert.ok(named.length > 8);
    for (const name of named) assert.ok(settings.has(name), name);
    const processAgain = processAgainCommand({ send: async () => {} });
    const notRun = { version: '', databaseUrl: () => '', openServer: () => assert.fail(), progress: assert.fail };
    const ownStart = { doctor: DOCTOR_COMMAND, preflight: PREFLIGHT_COMMAND };
    const operations = { ...backupCommands(notRun), ...ROTATE_SECRET_KEY_COMMAND, ...ownStart };
    const usage = adminUsage({
      ...INSTALL_SPEECH_MODEL_COMMAND,
      ...LIST_STORAGE_COMMAND,
      ...operations,
      ...processAgain,
      ...VERIFY_MEDIA_COMMAND,
    });
    const commands = Array.from(blocks.matchAll(/admin -- ([\w-]+)/g), ([, name = '']) => name);
    assert.ok(commands.length >= 5);
    for (const name of commands.filter((each) => !each.startsWith('rebuild-'))) assert.ok(usage.includes(name), name);
  });
});
