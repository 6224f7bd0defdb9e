import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { makePaddedClip } from '../../e2e/support/clips.ts';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { until } from '../../server/src/testing/until.ts';
import { ResumableUploadState } from '../src/uploads/resumable-upload-state.ts';
import { CliUser } from './run-cli.fixture.ts';

const platform = sharedTestPlatform();
let person: CliUser;
let clip = '';
before(async () => {
  person = new CliUser(join(platform.folder, 'someone'), { REELGRAPH_URL: platform.url, REELGRAPH_KEY: platform.key });
  clip = makePaddedClip(platform.folder, 'a quiet clip.mp4');
});

const savedUploads = () => readdirSync(join(person.home, 'state', 'reelgraph', 'uploads'));

test('after Ctrl-C the same command resumes after the last byte received, with the new options, then waits, publishes and prints the link', async () => {
  const cutAt = 300_000;
  assert.ok(statSync(clip).size > cutAt + 100_000);
  platform.proxy.take();
  const earlier = platform.receivedBytes();
  const arrived = () =>
    until(
      () => platform.receivedBytes() > earlier,
      () => 'nothing arrived',
    );
  platform.proxy.next({ kind: 'broken body', afterBytes: cutAt, arrived }, ({ method }) => method === 'PATCH');
  const first = person.start(['upload', clip, '--visibility', 'UNLISTED']);
  await platform.proxy.came('PATCH', 1);
  // The client requests the offset and gets no response.
  platform.proxy.next({ kind: 'silence' }, ({ method }) => method === 'HEAD');
  await platform.proxy.came('HEAD', 2);
  first.child.kill('SIGINT');
  const stopped = await first.ended;
  assert.equal(stopped.code, 130, stopped.err);
  assert.match(stopped.err, /again to resume/);
  const [saved = ''] = savedUploads();
  assert.equal(statSync(join(person.home, 'state', 'reelgraph', 'uploads', saved)).mode & 0o777, 0o600);

  platform.proxy.take();
  const other = await person.run('upload', clip, '--draft');
  assert.equal(other.code, 2);
  assert.match(other.err, /started with a different .*--draft/);
  const isSending = ({ method, path }: { method: string; path: string }) =>
    path.includes('/uploads/') && method !== 'HEAD';
  assert.ok(!platform.proxy.take().some(isSending), 'nothing is sent to an upload with other options');

  const { code, out, err } = await person.run('upload', clip, '--visibility', 'PRIVATE', '--title', 'A quieter clip');
  assert.equal(code, 0, err);
  const offsets = platform.proxy
    .take()
    .flatMap(({ method, headers }) => (method === 'PATCH' ? [Number(headers['upload-offset'])] : []));
  assert.ok((offsets[0] ?? 0) > 0 && (offsets[0] ?? 0) <= cutAt, `sent again from ${offsets[0]}`);
  assert.match(err, /^Resuming/);
  assert.match(err, /uploading 100 %/);
  assert.match(err, /processing/);
  assert.match(out, /^✔ A quieter clip \(PUBLISHED\): http:\S+\/w\/[\w-]{11}\n$/);
  assert.deepEqual(savedUploads(), []);
  interface List {
    totalCount: number;
    contents: { metadata: { visibility: string } }[];
  }
  const { totalCount, contents } = await person.json<List>('content', 'list');
  assert.equal(totalCount, 1, 'the content was announced once');
  assert.deepEqual(
    contents.map(({ metadata }) => metadata.visibility),
    ['PRIVATE'],
    'what was asked for last holds',
  );
});

test(
  'a lost connection is reported, and the next run resumes if the platform stays unreachable',
  THOROUGH,
  async () => {
    platform.proxy.take();
    const isPatch = ({ method }: { method: string }) => method === 'PATCH';
    platform.proxy.next({ kind: 'lost request' }, isPatch);
    // After the last byte, the client polls the processing, with its retries.
    for (let n = 0; n < 5; n += 1)
      platform.proxy.next(
        { kind: 'lost request' },
        ({ method }) => method === 'POST' && platform.proxy.seen.filter(isPatch).length > 1,
      );
    const first = await person.run('upload', clip, '--draft');
    assert.equal(first.code, 7, first.err);
    assert.match(first.err, /^The connection was lost; retrying\.$/m);
    assert.match(first.err, /^try: .*run the same command again/m);
    platform.proxy.take();
    const { code, out, err } = await person.run('upload', clip, '--draft');
    assert.equal(code, 0, err);
    assert.match(out, /^✔ a quiet clip \(READY\)/);
    assert.ok(!platform.proxy.take().some(isPatch), 'the file had arrived');
  },
);

test('an upload whose content was deleted starts again, with any options', THOROUGH, async () => {
  platform.proxy.take();
  platform.proxy.next({ kind: 'silence' }, ({ method }) => method === 'PATCH');
  const first = person.start(['upload', clip]);
  await platform.proxy.came('PATCH', 1);
  first.child.kill('SIGINT');
  assert.equal((await first.ended).code, 130);
  const [saved = ''] = savedUploads();
  const { contentId } = JSON.parse(readFileSync(join(person.home, 'state', 'reelgraph', 'uploads', saved), 'utf8'));
  assert.equal((await person.run('content', 'delete', contentId)).code, 0);
  const { code, out, err } = await person.run('upload', clip, '--draft', '--json');
  assert.equal(code, 0, err);
  const [created] = JSON.parse(out).uploads;
  assert.equal(created.status, 'READY');
  assert.notEqual(created.contentId, contentId);
  assert.deepEqual(savedUploads(), []);
});

test('an upload that was started with another key is not resumed', async () => {
  const env = { XDG_STATE_HOME: join(platform.folder, 'state') };
  const account = { url: platform.url, urlFrom: 'environment', keyFrom: 'environment' } as const;
  const stateWith = (key: string) => ResumableUploadState.open(env, { ...account, key }, clip);
  const unfinished = { contentId: 'did:x:content/feature/1', resumeToken: 'token', options: '{}', isSent: false };
  await (await stateWith('rgt_1')).write(unfinished);
  assert.equal(await (await stateWith('test_1')).read(), null);
  assert.deepEqual(await (await stateWith('rgt_1')).read(), unfinished);
});

test('files are uploaded one after the other; one that is not a video does not stop the next', async () => {
  const broken = join(platform.folder, 'broken.mp4');
  writeFileSync(broken, 'this is no video');
  const { code, out, err } = await person.run('upload', broken, clip, '--draft', '--json');
  assert.equal(code, 8, err);
  const { uploads } = JSON.parse(out);
  assert.deepEqual(Object.keys(uploads[0]), ['file', 'contentId', 'title', 'status', 'url', 'error']);
  assert.equal(uploads[0].error.exitCode, 8);
  assert.ok(uploads[0].error.message.length > 0);
  assert.deepEqual([uploads[1].title, uploads[1].status, uploads[1].error], ['a quiet clip', 'READY', null]);
  assert.deepEqual(savedUploads(), []);
});

test('jobs are listed, shown, and watched until they have ended', async () => {
  type Jobs = { totalCount: number; jobs: { id: string; status: string; error: string | null }[] };
  const { totalCount, jobs } = await person.json<Jobs>('job', 'list', '--limit', '2');
  assert.ok(totalCount > 2);
  assert.deepEqual(
    jobs.map(({ status }) => status),
    ['COMPLETE', 'ERROR'],
  );
  const [complete, failed] = jobs.map(({ id }) => id);
  assert.match((await person.run('job', 'show', complete ?? '')).out, /^status +COMPLETE\nprogress +100 %\n/m);
  assert.equal((await person.run('job', 'watch', complete ?? '')).code, 0);
  const watched = await person.run('job', 'watch', failed ?? '', '--json');
  assert.deepEqual([watched.code, JSON.parse(watched.out).error], [8, jobs[1]?.error]);
  assert.match((await person.run('job', 'cancel', complete ?? '')).err, /This job has already ended/);
});

test('contradicting options are refused before anything is sent', async () => {
  platform.proxy.take();
  assert.equal((await person.run('upload', clip, '--draft', '--release', '2030-01-01')).code, 2);
  assert.equal((await person.run('upload', clip, clip, '--title', 'Twice')).code, 2);
  assert.equal((await person.run('upload', clip, '--release', 'soon')).code, 2);
  assert.deepEqual(platform.proxy.take(), []);
  assert.equal((await person.run('upload', 'missing.mp4')).code, 2);
});

for (const [mode, flags] of [
  ['', []],
  [' in test mode', ['--test']],
] as const) {
  test(`the token of the guide uploads, publishes, and says what it may do${mode}`, THOROUGH, async () => {
    const permissions = ['content:create', 'content:publish', 'asset:upload'];
    const name = `Upload script${mode}`;
    const made = await person.run('token', 'create', '--name', name, ...flags, '--permissions', ...permissions);
    assert.equal(made.code, 0, made.err);
    const env = { REELGRAPH_URL: platform.url, REELGRAPH_KEY: made.out.trim() };
    const script = new CliUser(join(platform.folder, `script${flags.length}`), env);
    type Identity = { user: object; subscription: object; permissions: string[] };
    const me = await script.json<Identity>('whoami');
    assert.deepEqual(
      [me.user, me.subscription],
      [
        { ...me.user, email: '' },
        { plan: null, state: null },
      ],
    );
    assert.deepEqual(me.permissions, ['content:read', 'content:create', 'content:publish', 'asset:upload']);
    const { out } = await script.run('whoami');
    assert.match(out, new RegExp(`^account +${platform.username}$`, 'm'));
    assert.doesNotMatch(out, /null|^plan/m);
    const { findings } = await script.json<{ findings: { check: string; state: string; found: string }[] }>('doctor');
    assert.deepEqual(
      findings.find(({ check }) => check === 'key'),
      { check: 'key', state: 'ok', found: platform.username },
    );
    const sent = await script.run('upload', clip, '--title', 'Sent by a script');
    assert.equal(sent.code, 0, sent.err);
    assert.match(sent.out, /^✔ Sent by a script \(PUBLISHED\): /);
    type List = { contents: { status: string }[] };
    const { contents } = await script.json<List>('content', 'list', '--limit', '1');
    assert.deepEqual(
      contents.map(({ status }) => status),
      ['PUBLISHED'],
    );
  });
}
