import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '../server/src/testing/until.ts';
import { commandOf, kill, NpmStart, processesOf, untilGone } from './support/npm-start.ts';

/** `npm start` after kill -9 of each process. */
describe('npm start, killed', () => {
  const platform = new NpmStart();
  before(() => platform.prepare());
  after(() => platform.remove());

  for (const victim of ['npm start', 'scripts/bootstrap.mjs', 'server/src/main.ts', 'bin/postgres -D']) {
    it(`restarts with its data after kill -9 of ${victim}`, async () => {
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

/** Files below DATA_DIR in the order in which a first start creates them. */
const STAGES = [
  'platform.pid',
  'postgres/initdb-password',
  'postgres/data/PG_VERSION',
  'postgres/data/postmaster.pid',
  'secret-key',
  'demo.json',
];
/** What exists only while the platform runs. */
const TEMPORARY = ['platform.pid', 'postgres/initdb-password', 'postgres/data/postmaster.pid'];

describe('npm start, interrupted by Ctrl-C', () => {
  for (const stage of STAGES) {
    it(`leaves nothing behind as soon as there is ${stage}, and starts again`, async () => {
      const platform = new NpmStart();
      try {
        await platform.prepare();
        platform.env = { ...platform.env, DEMO: 'on' };
        const exists = (file: string) => existsSync(join(platform.folder, 'data', file));
        const { npm, output } = platform.launch();
        await until(() => exists(stage), output);
        kill(-(npm.pid ?? 0), 'SIGINT');
        await until(() => npm.exitCode !== null || npm.signalCode !== null, 'npm does not end');
        await untilGone(platform.folder);
        assert.deepEqual(TEMPORARY.filter(exists), []);
        assert.doesNotMatch(output(), /"level":"(warn|error)"/);
        await platform.start();
        await platform.stopRest();
      } finally {
        await platform.remove();
      }
    });
  }
});
