import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { lockDataFolder, lockOwner } from './instance-lock.ts';

describe('data folder lock', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-lock-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is refused while its owner runs, and taken over once the owner was killed', async () => {
    const code =
      `import { lockDataFolder } from '${new URL('./instance-lock.ts', import.meta.url).href}'; ` +
      `await lockDataFolder(process.argv[1]); console.log('locked'); setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module-typescript', '-e', code, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(owner.stdout, 'data');
    assert.equal(lockOwner(folder), owner.pid);
    await assert.rejects(lockDataFolder(folder), new RegExp(`process ${owner.pid}`));
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const release = await lockDataFolder(folder);
    assert.equal(lockOwner(folder), process.pid);
    release();
    assert.equal(lockOwner(folder), null);
  });

  it('is refused while an owner runs whose process cannot be seen, as in another container', async () => {
    const release = await lockDataFolder(folder);
    rmSync(join(folder, 'platform.pid'));
    await assert.rejects(lockDataFolder(folder), /Another Reelgraph \(in another container\) is using/);
    release();
    (await lockDataFolder(folder))();
  });

  it('detects another process with the same id', () => {
    writeFileSync(join(folder, 'platform.pid'), `${process.ppid}\n1\n`);
    assert.equal(lockOwner(folder), null);
  });
});
