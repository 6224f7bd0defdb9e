import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { commandOf, kill, NpmStart, processesOf } from './support/npm-start.ts';

/** `npm start` after kill -9 of each of its processes. */
describe('npm start, killed', () => {
  const platform = new NpmStart();
  before(() => platform.prepare());
  after(() => platform.remove());

  for (const victim of ['npm start', 'scripts/bootstrap.mjs', 'server/src/main.ts', 'bin/postgres -D']) {
    it(`starts again with its data after kill -9 of ${victim}`, async () => {
      const { apiKey } = platform.admin(
        'create-account',
        '--email',
        `${platform.port}-${victim.length}@example.com`,
        '--username',
        `victim${victim.length}`,
        '--plan',
        'CREATOR_PLUS',
        '--api-key',
      );
      await platform.start();
      const pid = processesOf(platform.folder).find((candidate) => commandOf(candidate).includes(victim));
      assert.ok(pid, `${victim} runs`);
      kill(pid, 'SIGKILL');
      if (victim === 'bin/postgres -D') await platform.stopRest();
      await platform.untilPortFree();
      await platform.start();
      assert.equal(await platform.verify(apiKey), `victim${victim.length}`);
      await platform.stopRest();
    });
  }
});
