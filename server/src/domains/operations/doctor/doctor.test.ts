import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { readConfig } from '../../../platform/config/config.ts';
import { createTestDatabase } from '../../../platform/db/testing.ts';
import { startTestS3 } from '../../../platform/storage/testing.ts';
import { settingFindings as addressSettings } from './address-checks.ts';
import { clockFinding, settingFindings as databaseSettings } from './database-checks.ts';
import { runDoctor } from './doctor-command.ts';
import { type NamedFinding, ok, runChecks } from './finding.ts';

const NOWHERE = '127.0.0.1:1';

describe('admin doctor', () => {
  let folder: string;
  let test: Awaited<ReturnType<typeof createTestDatabase>>;
  let s3: Awaited<ReturnType<typeof startTestS3>>;
  let mail: SMTPServer;
  let front: Server;
  let mailAt: string;
  let frontAt: string;
  let messages = 0;
  /** What the front answers to a body that is longer than it takes; null where it lets everything through. */
  let refusesBodies = false;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-doctor-'));
    test = await createTestDatabase();
    s3 = await startTestS3();
    mail = new SMTPServer({
      ...{ authOptional: true, hideSTARTTLS: true, allowInsecureAuth: true },
      onAuth: ({ username, password }, _session, done) =>
        password === 'mail-password' ? done(null, { user: username }) : done(new Error('Wrong password')),
      onData(stream, _session, done) {
        stream.resume().on('end', () => {
          messages += 1;
          done();
        });
      },
    });
    await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve));
    mailAt = `127.0.0.1:${(mail.server.address() as AddressInfo).port}`;
    // Stands for a server behind a proxy that passes no WebSockets on.
    front = createServer((request, response) => {
      if (request.url === '/healthz') return void response.end(JSON.stringify({ status: 'ok', version: '1.0.0' }));
      if (request.url === '/.well-known/openid-configuration') {
        response.setHeader('content-type', 'application/json');
        return void response.end(JSON.stringify({ issuer: frontAt, jwks_uri: `${frontAt}/jwks` }));
      }
      request.resume().on('end', () => {
        if (!refusesBodies) response.setHeader('x-request-id', 'r1');
        response.writeHead(refusesBodies ? 413 : 404).end();
      });
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    frontAt = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  });
  after(async () => {
    await new Promise<void>((resolve) => mail.close(resolve));
    await new Promise<void>((resolve) => void front.close(() => resolve()));
    await s3.close();
    await test.close();
    await rm(folder, { recursive: true, force: true });
  });

  const working = (): Record<string, string> => ({
    ...{ DATA_DIR: folder, PORT: '0', RTMP_PORT: 'off', BASE_URL: frontAt, SANDBOX: 'prefer' },
    ...{ MAIL: 'smtp', SMTP_URL: `smtp://robot:mail-password@${mailAt}`, STORAGE: 's3' },
    ...{ S3_ENDPOINT: s3.settings.endpoint ?? '', S3_BUCKET: s3.settings.bucket },
    ...{ S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
  });
  async function doctor(env: Record<string, string>, url = test.url, ...args: string[]) {
    const openServer = async () => ({ url, stop: async () => {} });
    const { exitCode, stdout } = await runDoctor(['--json', ...args], readConfig(env), openServer);
    const { findings } = JSON.parse(stdout) as { findings: NamedFinding[] };
    const of = (check: string, state?: string) =>
      findings.filter((each) => each.check === check && each.state === (state ?? each.state)).map(({ found }) => found);
    return { exitCode, stdout, of };
  }

  it('finds what works, leaves nothing behind and sends no mail', async () => {
    refusesBodies = false;
    const { of } = await doctor(working());
    assert.deepEqual(of('database', 'problem'), []);
    assert.ok(of('database', 'ok').includes('Notifications of PostgreSQL arrive.'));
    assert.deepEqual(of('mail'), ['The mail server takes the connection and the credentials.']);
    assert.deepEqual(of('storage', 'ok'), [
      'The bucket reelgraph-test lets objects be written, read, listed, joined and deleted.',
    ]);
    assert.deepEqual(of('data folder', 'ok')[0], `${folder} can be written.`);
    assert.ok(of('proxy', 'ok').includes('Bodies of 2 MiB reach the server.'));
    assert.deepEqual(await readdir(folder), []);
    assert.equal(messages, 0);
  });

  it('reads the discovery documents of providers', async () => {
    const provider = (name: string, issuer: string) => ({
      [`OIDC_${name}_ISSUER`]: issuer,
      [`OIDC_${name}_CLIENT_ID`]: 'reelgraph',
      [`OIDC_${name}_CLIENT_SECRET`]: 'hidden-client',
    });
    const { of, stdout } = await doctor({
      ...{ ...working(), OIDC_PROVIDERS: 'one,two,three' },
      ...{ ...provider('ONE', frontAt), ...provider('TWO', `http://${NOWHERE}`) },
      ...provider('THREE', `${frontAt}/realm`),
    });
    assert.deepEqual(of('single sign-on', 'ok'), [`The provider one responds at ${frontAt}.`]);
    const [two = '', three = ''] = of('single sign-on', 'problem');
    assert.match(two, /^The provider two cannot be used at http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/);
    assert.match(three, /^The provider three cannot be used at .*\/realm: unexpected HTTP response status code/);
    assert.ok(!stdout.includes('hidden'), stdout);
  });

  it('sends a message to the given address', async () => {
    const { of } = await doctor(working(), test.url, '--send-mail-to', 'ada@example.com');
    assert.equal(of('mail')[1], 'A message to ada@example.com was handed over.');
    assert.equal(messages, 1);
  });

  it('says what a proxy in front does not pass on', async () => {
    refusesBodies = true;
    const { exitCode, of } = await doctor(working());
    assert.equal(exitCode, 1);
    assert.deepEqual(of('proxy', 'problem'), [
      'A body of 2 MiB is refused with 413 before it reaches the server.',
      'WebSockets do not reach the server.',
    ]);
  });

  it('names every problem at once, exits with 1 and shows no secret', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { exitCode, stdout, of } = await doctor(
      {
        ...working(),
        ...{ S3_ENDPOINT: `http://${NOWHERE}`, S3_ACCESS_KEY_ID: 'hidden-id', S3_SECRET_ACCESS_KEY: 'hidden-key' },
        ...{
          SMTP_URL: `smtp://robot:hidden-mail@${mailAt}`,
          DATA_DIR: join(file, 'data'),
          FFMPEG_PATH: '/nowhere/ffmpeg',
        },
      },
      `postgres://reelgraph:hidden-database@${NOWHERE}/reelgraph`,
    );
    assert.equal(exitCode, 1);
    assert.match(
      of('database', 'problem')[0] ?? '',
      /^PostgreSQL at 127\.0\.0\.1:1\/reelgraph cannot be used: .*ECONNREFUSED/,
    );
    assert.match(of('mail', 'problem')[0] ?? '', /^The mail server cannot be used: /);
    assert.match(of('storage', 'problem')[0] ?? '', /^The bucket reelgraph-test refuses s3:PutObject: /);
    assert.match(of('data folder', 'problem')[0] ?? '', /^DATA_DIR .*\/file\/data cannot be written: ENOTDIR/);
    assert.match(of('programs', 'problem')[0] ?? '', /^ffmpeg or ffprobe cannot be run: /);
    assert.ok(!stdout.includes('hidden'), stdout);
  });

  it('goes on after a check that fails, and after one that hangs, and hides secrets in their errors', async () => {
    const findings = await runChecks(
      [
        { name: 'fails', run: () => Promise.reject(new Error('no login with s3cr3t')) },
        { name: 'hangs', limitMs: 20, run: () => new Promise(() => {}) },
        { name: 'works', run: async () => ok('Fine.') },
      ],
      ['s3cr3t'],
    );
    assert.deepEqual(
      findings.map(({ check, state, found }) => [check, state, found]),
      [
        ['fails', 'problem', 'The check failed: no login with ….'],
        ['hangs', 'problem', 'The check failed: no result within 0.02 seconds.'],
        ['works', 'ok', 'Fine.'],
      ],
    );
  });
});

describe('settings of PostgreSQL', () => {
  const good = {
    ...{ version: 180_001, encoding: 'UTF8', timeZone: 'UTC', nowMs: 0, maxConnections: 100, reservedConnections: 3 },
    ...{ sharedBufferBytes: 256 * 1024 ** 2, port: 5432 },
  };
  const states = (facts: typeof good) =>
    databaseSettings(facts).flatMap(({ state, found }) => (state === 'ok' ? [] : [`${state}: ${found}`]));
  for (const [name, change, expected] of [
    ['are good', {}, []],
    ['are those of an old version', { version: 170_004 }, ['problem: PostgreSQL 17.4 is too old.']],
    ['have an encoding', { encoding: 'LATIN1' }, ['problem: The encoding is LATIN1: not every text can be stored.']],
    ['lost the time zone', { timeZone: 'CET' }, ['problem: Connections have the time zone CET.']],
    [
      'let one process connect',
      { maxConnections: 50 },
      ['warning: max_connections lets 47 connections, for 1 processes at a time.'],
    ],
    ['have small buffers', { sharedBufferBytes: 1024 ** 2 }, ['warning: shared_buffers is less than 128 MB.']],
  ] as const)
    it(name, () => assert.deepEqual(states({ ...good, ...change }), expected));

  for (const [skewMs, state] of [
    [1_500, 'ok'],
    [-2_500, 'warning'],
    [31_000, 'problem'],
  ] as const)
    it(`a clock that is ${skewMs} ms ahead: ${state}`, () => assert.equal(clockFinding(skewMs).state, state));
});

describe('settings at a public address', () => {
  for (const [name, env, states] of [
    ['this machine only', {}, ['ok']],
    ['others, without their address', { HOST: '0.0.0.0' }, ['problem']],
    ['a public address without TLS', { BASE_URL: 'http://video.example.com', HOST: '127.0.0.1' }, ['problem']],
    ['a proxy that can be bypassed', { BASE_URL: 'https://video.example.com', TRUST_PROXY: 'on' }, ['warning']],
    ['a proxy that is not trusted', { BASE_URL: 'https://video.example.com', HOST: '127.0.0.1' }, ['warning']],
    [
      'everything open',
      {
        BASE_URL: 'https://video.example.com',
        HOST: '127.0.0.1',
        TRUST_PROXY: 'on',
        METRICS: 'public',
        SIGN_UP: 'open',
      },
      ['warning', 'warning'],
    ],
  ] as const)
    it(name, () =>
      assert.deepEqual(
        addressSettings(readConfig(env)).map(({ state }) => state),
        states,
      ),
    );
});
