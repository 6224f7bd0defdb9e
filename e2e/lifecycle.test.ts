import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kill, NpmStart, processesOf, untilGone } from './support/npm-start.ts';

describe('npm start', () => {
  const platform = new NpmStart();
  before(() => platform.prepare());
  after(() => platform.remove());

  it('creates accounts with the admin command while it is stopped and while it runs, and stops on Ctrl-C', async () => {
    const stopped = platform.createAccount('stopped');
    assert.match(stopped.apiKey, /^rg_[A-Za-z0-9]{38}$/);
    assert.deepEqual(processesOf(platform.folder), [], 'the command stops its database');
    const npm = await platform.start();
    assert.equal(await platform.verify(stopped.apiKey), 'stopped');
    assert.equal(await platform.verify(platform.createAccount('running').apiKey), 'running');
    // A terminal sends SIGINT to the whole foreground group.
    kill(-(npm.pid ?? 0), 'SIGINT');
    await untilGone(platform.folder);
    assert.equal(await platform.isHealthy(), false);
  });
});
