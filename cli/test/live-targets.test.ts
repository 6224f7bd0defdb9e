import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { CliUser } from './run-cli.fixture.ts';

const KEY = 'key-of-the-other-service';
const platform = sharedTestPlatform();

interface Target {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly isEnabled: boolean;
  readonly state: string;
}

test('simulcast targets are added, listed, changed and deleted, and no output has their key', async () => {
  const person = new CliUser(join(platform.folder, 'simulcast'), {
    REELGRAPH_URL: platform.url,
    REELGRAPH_KEY: platform.key,
  });
  const { id: input } = await person.json<{ id: string }>('live', 'create', 'Simulcast');
  assert.equal((await person.run('live', 'targets', input)).out, '');
  const line = ['live', 'add-target', input, 'Other service', 'rtmp://1.1.1.1/live'];
  const without = await person.run(...line);
  assert.deepEqual([without.code, without.err.split('\n')[0]], [2, 'error: The stream key is empty.']);
  const added = await person.start([...line, '--json'], `${KEY}\n`).ended;
  assert.equal(added.code, 0, added.err);
  const { id } = JSON.parse(added.out) as Target;

  const { simulcastTargets } = await person.json<{ simulcastTargets: Target[] }>('live', 'targets', input);
  assert.deepEqual(simulcastTargets, [
    { id, name: 'Other service', url: 'rtmp://1.1.1.1/live', isEnabled: true, state: 'IDLE', error: null },
  ]);
  assert.match((await person.run('live', 'update-target', id)).err, /^error: Nothing to change was named\./);
  const changed = await person.start(['live', 'update-target', id, '--disable', '--key'], 'another-key').ended;
  assert.deepEqual([changed.code, changed.out], [0, `✔ updated ${id}\n`]);
  assert.match((await person.run('live', 'targets', input)).out, / off +Other service rtmp:\/\/1\.1\.1\.1\/live\n$/);
  for (const { out, err } of [added, changed]) assert.doesNotMatch(out + err, /key-of-the-other|another-key/);

  assert.match((await person.run('live', 'delete-target', id)).err, /There is no terminal to ask on\./);
  assert.equal((await person.run('live', 'delete-target', id, '--yes')).code, 0);
  assert.equal((await person.run('live', 'delete-target', id, '--yes')).code, 4);
  assert.equal((await person.run('live', 'targets', id)).code, 4);
  assert.equal((await person.run('live', 'delete', input, '--yes')).code, 0);
});
