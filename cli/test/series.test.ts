import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { makePaddedClip } from '../../e2e/support/clips.ts';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { CliUser } from './run-cli.fixture.ts';

const platform = sharedTestPlatform();
let person: CliUser;
before(() => {
  person = new CliUser(join(platform.folder, 'someone'), { REELGRAPH_URL: platform.url, REELGRAPH_KEY: platform.key });
});

interface Part {
  readonly id: string;
  readonly status: string;
  readonly metadata: { readonly title: string; readonly number: number | null };
  readonly children?: readonly Part[];
}

/** Numbers and titles of what is in it. */
function contentsOf({ children = [] }: Part): [number | null, string][] {
  return children.map(({ metadata }) => [metadata.number, metadata.title]);
}

test('a series gets seasons and episodes, with a video or without, is ordered and published', THOROUGH, async () => {
  const clip = makePaddedClip(platform.folder, 'the plain.mp4');
  const serie = await person.json<Part>('series', 'create', 'The Long Way Home');
  const season = await person.json<Part>('series', 'add-season', serie.id, 'The south', '--number', '3');
  await person.json('series', 'add-episode', season.id, 'The coast', '--premiere');
  type Uploads = { readonly uploads: readonly { readonly contentId: string; readonly status: string }[] };
  const { uploads } = await person.json<Uploads>('upload', clip, '--season', season.id, '--draft');
  assert.match(uploads[0]?.contentId ?? '', /\/episode\//);
  const shown = await person.run('series', 'show', serie.id);
  assert.match(
    shown.out,
    new RegExp(
      '^The Long Way Home \\(READY, PUBLIC, 1 season, 2 episodes\\)\n' +
        'did:\\S+ +S3 +READY +The south\n' +
        'did:\\S+ +S3E1 +DRAFT +The coast\n' +
        'did:\\S+ +S3E2 +READY +\\d:\\d\\d +the plain\n$',
    ),
  );
  assert.equal((await person.run('series', 'move', uploads[0]?.contentId ?? '', '--number', '1')).code, 0);
  assert.deepEqual(contentsOf(await person.json<Part>('series', 'show', season.id)), [
    [1, 'the plain'],
    [2, 'The coast'],
  ]);
  const published = await person.run('series', 'publish', serie.id);
  assert.equal(published.code, 0, published.err);
  assert.equal(published.out, '✔ published The Long Way Home\n✔ published The south\n✔ published the plain\n');
  assert.equal(published.err, '1 episode without a processed video: left out.\n');
  const ordered = await person.json<Part>('series', 'order', serie.id);
  assert.deepEqual(contentsOf(ordered), [[1, 'The south']]);
  const list = await person.json<{ totalCount: number; series: Part[] }>('series', 'list');
  assert.deepEqual(
    list.series.map(({ id, status }) => [id, status]),
    [[serie.id, 'PUBLISHED']],
  );
});

test('a miniseries has episodes and no seasons; what is not a series is refused', async () => {
  const mini = await person.json<Part>('series', 'create', 'Three Nights', '--mini');
  assert.match(mini.id, /\/miniserie\//);
  const [one, two] = [
    await person.json<Part>('series', 'add-episode', mini.id, 'First'),
    await person.json<Part>('series', 'add-episode', mini.id, 'Second'),
  ];
  const ordered = await person.json<Part>('series', 'order', mini.id, two.id, one.id);
  assert.deepEqual(contentsOf(ordered), [
    [1, 'Second'],
    [2, 'First'],
  ]);
  assert.equal((await person.run('series', 'show', one.id)).code, 2);
  assert.equal((await person.run('series', 'order', one.id)).code, 2);
  assert.equal((await person.run('series', 'add-season', mini.id, 'None')).code, 6);
});
