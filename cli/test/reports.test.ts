import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { until } from '../../server/src/testing/until.ts';
import { sparkline } from '../src/charts.ts';
import { CliUser, type Running } from './run-cli.fixture.ts';

const platform = sharedTestPlatform();
let person: CliUser;
before(async () => {
  person = new CliUser(join(platform.folder, 'someone'), { REELGRAPH_URL: platform.url, REELGRAPH_KEY: platform.key });
});

/** Creates a draft; returns its identifier. */
async function draft(title: string): Promise<string> {
  const text = 'mutation ($title: String!) { createContent(input: { title: $title }) { id } }';
  const { code, out, err } = await person.start(['query', '-', '--var', `title=${title}`], text).ended;
  assert.equal(code, 0, err);
  return JSON.parse(out).data.createContent.id;
}

interface ListedEvent {
  readonly cursor: string;
  readonly subject: string;
  readonly createdAt: string;
}

/**
 * The listed events once the newest content is among them: events wait for older transactions, including those of other
 * tests.
 */
async function settled(newest: string, ...options: string[]): Promise<ListedEvent[]> {
  let listed: ListedEvent[] = [];
  await until(
    async () => {
      const { out } = await person.run('events', '--type', 'content.created', '--json', ...options);
      listed = out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)); // one event a line
      return listed.at(-1)?.subject === newest;
    },
    () => `${newest} is not listed`,
  );
  return listed;
}

/** Ends the process once it has written this many lines; returns them. */
async function lines(running: Running, count: number): Promise<string[]> {
  const written = () => running.output().out.split('\n').filter(Boolean);
  for (let left = 1_000; left > 0 && written().length < count; left -= 1) await pause(20);
  running.child.kill('SIGINT');
  const { code, err } = await running.ended;
  assert.equal(code, 130, err);
  return written();
}

test('events are listed, followed as lines of JSON, and resumed after the last one shown', THOROUGH, async () => {
  const first = await draft('First');
  const listed = await settled(first);
  assert.equal(listed.length, 1);
  const cursor = listed[0]?.cursor ?? '';
  const follow = ['events', '--follow', '--resume', '--type', 'content.created', '--json'];
  const second = await draft('Second');
  const seen = await lines(person.start([...follow, '--after', cursor]), 1);
  assert.deepEqual(
    seen.map((line) => JSON.parse(line).subject),
    [second],
  );
  const third = await draft('Third');
  const resumed = await lines(person.start(follow), 1);
  assert.deepEqual(
    resumed.map((line) => JSON.parse(line).subject),
    [third],
    'no duplicates and no gaps',
  );
});

test(
  '--limit sets how many of the latest events are listed; --resume and --after require --follow',
  THOROUGH,
  async () => {
    const ten = Array.from({ length: 10 }, (_, n) => `c${n}: createContent(input: { title: "${n}" }) { id }`).join(' ');
    let newest = '';
    for (let n = 0; n < 11; n += 1) {
      const { code, out } = await person.start(['query', '-'], `mutation { ${ten} }`).ended;
      assert.equal(code, 0);
      newest = JSON.parse(out).data.c9.id;
    }
    const [some, few] = [await settled(newest, '--limit', '110'), await settled(newest, '--limit', '3')];
    assert.equal(new Set(some.map(({ cursor }) => cursor)).size, 110);
    assert.deepEqual(some.slice(-3), few);
    assert.deepEqual(
      some.map(({ createdAt }) => createdAt),
      some.map(({ createdAt }) => createdAt).sort(),
    );
    assert.equal((await person.run('events', '--resume')).code, 2);
    assert.equal((await person.run('events', '--after', 'x')).code, 2);
  },
);

test('analytics of a channel and of a content are metrics and sparklines', async () => {
  const id = await draft('Without views');
  const numbers = await person.json<{ overview: { views: { value: number } }; views: { points: unknown[] } }>(
    'analytics',
    '--range',
    'LAST_7D',
  );
  assert.equal(numbers.overview.views.value, 0);
  assert.ok(numbers.views.points.length >= 7);
  const { code, out, err } = await person.run('analytics', id);
  assert.equal(code, 0, err);
  assert.match(out, /^views +0/m);
  assert.match(out, /^minutes watched +▁+$/m);
  assert.match(out, /^retention +no views yet$/m);
  assert.ok(
    (await person.run('analytics', 'did:reelgraph:content/feature/01980000-0000-7000-8000-000000000000')).code === 4,
  );
});

test('sparklines are scaled to the highest value and fit the width', () => {
  assert.equal(sparkline([0, 1, 2, 7], 10), '▁▂▃█');
  assert.equal(sparkline([0, 0, 4, 4], 2), '▁█');
  assert.equal(sparkline([0, 0], 10), '▁▁');
  assert.equal(sparkline([], 10), '');
});

test('doctor reports what works and what does not', async () => {
  type Report = { findings: { check: string; state: string; found: string }[] };
  const stateOf = ({ findings }: Report, name: string) => findings.find(({ check }) => check === name)?.state;
  const report = await person.json<Report>('doctor');
  for (const check of ['config file', 'connection', 'TLS', 'key', 'permissions', 'limits', 'clock', 'ffmpeg'])
    assert.equal(stateOf(report, check), 'ok', check);
  const sandbox = report.findings.find(({ check }) => check === 'sandbox');
  assert.match(sandbox?.found ?? '', /^(complete|incomplete); (bubblewrap|unshare|partial); holds: /);
  assert.equal(sandbox?.state, sandbox?.found.startsWith('complete') ? 'ok' : 'warning');
  const worker = report.findings.find(({ check }) => check === `sandbox of worker ${hostname()}`);
  assert.deepEqual(
    [worker?.state, worker?.found],
    [sandbox?.state, sandbox?.found],
    'the worker in the same process has the same sandbox',
  );
  const careless = new CliUser(join(platform.folder, 'careless'));
  assert.equal((await careless.start(['login', '--url', platform.url], platform.key).ended).code, 0);
  chmodSync(careless.configFile, 0o644);
  const { code, out } = await careless.run('doctor', '--json');
  assert.equal(code, 1);
  assert.equal(stateOf(JSON.parse(out), 'config file'), 'failed');
  const wrong = await new CliUser(join(platform.folder, 'wrong'), {
    REELGRAPH_URL: platform.url,
    REELGRAPH_KEY: 'wrong',
  }).run('doctor', '--json');
  assert.equal(wrong.code, 1);
  assert.equal(stateOf(JSON.parse(wrong.out), 'key'), 'failed');
  const reported = (JSON.parse(wrong.out) as Report).findings.find(({ check }) => check === 'sandbox');
  assert.equal(reported?.found, sandbox?.found, 'the sandbox is reported without a key');
});
