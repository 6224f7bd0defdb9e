import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { encoders } from '../../e2e/support/encoder.ts';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { until } from '../../server/src/testing/until.ts';
import { CliUser } from './run-cli.fixture.ts';

const platform = sharedTestPlatform();
const publish = encoders();
let owner: CliUser;
let viewer: CliUser;
let viewerName = '';
let contentId = '';
before(async () => {
  const env = { REELGRAPH_URL: platform.url };
  const account = await platform.account();
  viewerName = account.username;
  owner = new CliUser(join(platform.folder, 'owner'), { ...env, REELGRAPH_KEY: platform.key });
  viewer = new CliUser(join(platform.folder, 'viewer'), { ...env, REELGRAPH_KEY: account.key });
  contentId = (await owner.json<{ id: string }>('series', 'create', 'A series to talk about')).id;
  assert.equal((await owner.run('content', 'publish', contentId)).code, 0);
});

interface Comment {
  readonly id: string;
  readonly body: string;
  readonly status: string;
  readonly isPinned: boolean;
  readonly isHearted: boolean;
}
type List = { readonly totalCount: number; readonly comments: readonly Comment[] };

async function write(person: CliUser, text: string): Promise<string> {
  return (await person.json<Comment>('comment', 'add', contentId, text)).id;
}

test('comments are written, answered, edited, pinned, hearted, listed and deleted', async () => {
  const first = await write(viewer, 'A question:\nwhen does it go on?');
  const reply = await owner.start(['comment', 'reply', first, '-', '--json'], 'In March.').ended;
  assert.equal(reply.code, 0, reply.err);
  const edited = await owner.run('comment', 'edit', JSON.parse(reply.out).id, 'In April.');
  assert.equal(edited.out, `✔ edited ${JSON.parse(reply.out).id}\n`);
  const missing = 'did:reelgraph:comment/01980000-0000-7000-8000-000000000000';
  const pinned = await owner.run('comment', 'pin', missing, first);
  assert.deepEqual([pinned.code, pinned.out], [4, `✔ pinned ${first}\n`]);
  assert.equal((await owner.run('comment', 'heart', first)).code, 0);
  const { comments } = await owner.json<List>('comment', 'list', contentId, '--sort', 'top');
  assert.deepEqual(
    comments.map(({ id, isPinned, isHearted }) => [id, isPinned, isHearted]),
    [[first, true, true]],
  );
  const listed = await owner.run('comment', 'list', contentId);
  assert.match(
    listed.out,
    /^did:\S+ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}@\w+ {2}pinned ♥ {2}1 reply {2}A question: when does it go on\?\n$/,
  );
  const shown = await owner.run('comment', 'show', first);
  assert.match(shown.out, /^A question:\nwhen does it go on\?\n\n.*In April\.$/m);
  const own = await viewer.json<List>('comment', 'list', '--mine');
  assert.deepEqual(
    own.comments.map(({ id }) => id),
    [first],
  );
  const asked = await viewer.run('comment', 'delete', first);
  assert.equal(asked.code, 2, 'without a terminal it must be confirmed');
  assert.match(asked.err, /^try: Add --yes/m);
  assert.equal((await viewer.run('comment', 'delete', first, '--yes')).code, 0);
  assert.equal((await viewer.run('comment', 'list')).code, 2, 'of what?');
});

test('held comments are reviewed, and words and accounts are blocked', THOROUGH, async () => {
  const blocked = await owner.json<{ blockedWords: string[] }>('moderation', 'block-word', 'Free Money', 'casino');
  assert.deepEqual(blocked.blockedWords, ['Free Money', 'casino']);
  const held = await viewer.run('comment', 'add', contentId, 'Get free money here');
  assert.match(held.out, /^✔ held for review did:/);
  const { comments } = await owner.json<List>('moderation', 'held');
  const [{ id = '' } = {}] = comments;
  assert.deepEqual(
    comments.map(({ body, status }) => [body, status]),
    [['Get free money here', 'HELD']],
  );
  const approved = await owner.run('moderation', 'approve', id, 'nonsense');
  assert.equal(approved.code, 6);
  assert.match(approved.out, new RegExp(`^✔ approved ${id}\n✖ nonsense: `));
  const settings = await owner.json('moderation', 'unblock-word', 'CASINO', 'unknown');
  assert.deepEqual(settings, { blockedWords: ['Free Money'], holdLinks: false });
  assert.deepEqual(await owner.json('moderation', 'settings', '--hold-links'), {
    blockedWords: ['Free Money'],
    holdLinks: true,
  });
  const hidden = await owner.run('moderation', 'block', `@${viewerName}`, '--hide-comments');
  assert.match(hidden.out, new RegExp(`^✔ blocked @${viewerName} and rejected \\d+ comments?\n$`));
  assert.match((await owner.run('moderation', 'blocked')).out, new RegExp(`^@${viewerName} {2}since `));
  assert.equal((await viewer.run('comment', 'add', contentId, 'Still here')).code, 3);
  assert.equal((await owner.run('moderation', 'unblock', viewerName)).code, 0);
  const refused = await viewer.run('moderation', 'held', '--channel', platform.channelId);
  assert.equal(refused.code, 3);
  assert.match(refused.err, /^error: You do not moderate this channel\./);
});

test('reports are made, listed and closed', THOROUGH, async () => {
  const reported = await viewer.run('moderation', 'report', contentId, 'misinformation', '--note', 'The map is wrong');
  assert.equal(reported.out, `✔ reported ${contentId}\n`);
  type Reports = { readonly reports: readonly { readonly id: string; readonly note: string }[] };
  const { reports } = await owner.json<Reports>('moderation', 'reports');
  assert.deepEqual(
    reports.map(({ note }) => note),
    ['The map is wrong'],
  );
  assert.match(
    (await owner.run('moderation', 'reports')).out,
    /MISINFORMATION {2}content: A series to talk about \(note: The map is wrong\)\n$/,
  );
  assert.equal((await owner.run('moderation', 'dismiss', reports[0]?.id ?? '')).code, 0);
  assert.deepEqual((await owner.json<Reports>('moderation', 'reports')).reports, []);
  const closed = await owner.json<Reports>('moderation', 'reports', '--status', 'dismissed');
  assert.equal(closed.reports.length, 1);
});

test('the comment mode of a content is chosen', THOROUGH, async () => {
  assert.match((await owner.run('comment', 'mode', contentId, 'members-only')).out, /^✔ MEMBERS_ONLY A series/);
  assert.equal((await viewer.run('comment', 'add', contentId, 'Hello')).code, 3);
  assert.equal((await owner.run('comment', 'mode', contentId, 'nobody')).code, 2);
});

test('a broadcast is scheduled, listed, moved and canceled', async () => {
  type Scheduled = { id: string };
  type List = { totalCount: number; streams: { id: string; broadcast: { state: string; scheduledAt: string } }[] };
  const input = await owner.json<{ id: string }>('live', 'create', 'Roof');
  const [first, second] = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
  const { id } = await owner.json<Scheduled>('live', 'schedule', input.id, 'Eclipse', '--at', first ?? '');
  const listed = async () => (await owner.json<List>('live', 'scheduled')).streams.map(({ broadcast }) => broadcast);
  assert.deepEqual(await listed(), [{ state: 'SCHEDULED', scheduledAt: first }]);
  assert.equal((await owner.run('live', 'reschedule', id, '--at', second ?? '')).code, 0);
  assert.deepEqual(await listed(), [{ state: 'SCHEDULED', scheduledAt: second }]);
  assert.match((await owner.run('live', 'cancel', id)).out, /^✔ canceled did:reelgraph:content\/stream\//);
  assert.match((await owner.run('live', 'scheduled')).out, / {2}canceled {2}\S+Z {2}Eclipse\n$/);
  assert.equal((await owner.run('live', 'schedule', input.id, 'Eclipse', '--at', 'tonight')).code, 2);
  assert.equal((await viewer.run('live', 'cancel', id)).code, 4);
});

test('the chat of a stream is written in, shown, and followed until the broadcast ends', async () => {
  type Input = { id: string; streamKey: string; ingest: { rtmp: string } };
  type Shown = { currentStream: { id: string } | null };
  const input = await owner.json<Input>('live', 'create', 'Harbour', '--visibility', 'unlisted');
  const encoder = publish(input.ingest.rtmp, input.streamKey);
  const stream = async () => (await owner.json<Shown>('live', 'show', input.id)).currentStream?.id ?? '';
  await until(async () => (await stream()) !== '', 'it was never live');
  const id = await stream();
  const sent = await viewer.run('live', 'say', id, 'Hello from the harbour');
  assert.match(sent.out, /^✔ sent did:reelgraph:chat-message\/[0-9a-f-]{36}\n$/);
  const shown = await owner.run('live', 'chat', id);
  assert.match(shown.out, /^\d\d:\d\d:\d\d {2}\S+ {2}Hello from the harbour\n$/);
  const following = owner.start(['live', 'chat', id, '--follow', '--json']);
  await until(() => following.output().out.includes('Hello from the harbour'));
  assert.equal((await owner.run('live', 'say', id, 'Goodbye')).code, 0);
  await until(() => following.output().out.includes('Goodbye'));
  assert.equal((await owner.run('live', 'end', id)).code, 0);
  const { code, out } = await following.ended;
  const messages = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(code, 0);
  assert.deepEqual(
    messages.map(({ author, body, isByMember }) => [author === viewerName, body, isByMember]),
    [
      [true, 'Hello from the harbour', false],
      [false, 'Goodbye', true],
    ],
  );
  assert.equal((await viewer.run('live', 'say', id, 'Too late')).code, 6);
  assert.notEqual((await owner.run('live', 'chat', contentId)).code, 0);
  encoder.kill();
});
