import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { CliUser } from './run-cli.fixture.ts';

const platform = sharedTestPlatform();

test('a live input is started by hand, once its encoder is connected', async () => {
  const person = new CliUser(join(platform.folder, 'start'), {
    REELGRAPH_URL: platform.url,
    REELGRAPH_KEY: platform.key,
  });
  const { id, start } = await person.json<{ id: string; start: string }>(
    'live',
    'create',
    'By hand',
    '--start',
    'manual',
  );
  assert.equal(start, 'MANUAL');
  assert.match((await person.run('live', 'show', id)).out, /^start +manual$/m);
  const refused = await person.run('live', 'start', id);
  assert.equal(refused.out, '');
  assert.match(refused.err, /^error: No encoder is connected to this live input\./);
});
