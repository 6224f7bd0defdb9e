import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DEPLOY } from '../proxies/examples.ts';

/** As `systemd-analyze security` of systemd 252 rates it, from 0 (closed) to 10 (open). */
const EXPOSURE = 2.8;

describe('the units, as systemd reads them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-units-'));
  before(() => {
    // Installed, the program is below /opt; verify only looks for one there.
    for (const [unit, file] of [
      ['reelgraph.service', 'reelgraph.service'],
      ['reelgraph@.service', 'reelgraph@api.service'],
    ] as const) {
      const text = readFileSync(join(DEPLOY, 'systemd', unit), 'utf8');
      writeFileSync(join(folder, file), text.replace('/opt/reelgraph/bin/reelgraph-server', '/bin/true'));
    }
    copyFileSync(join(DEPLOY, 'systemd/reelgraph@.service'), join(folder, 'reelgraph@.service'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const file of ['reelgraph.service', 'reelgraph@api.service'])
    it(`finds nothing wrong with ${file}`, () => {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, file)], {
        encoding: 'utf8',
        env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
      });
      assert.deepEqual([status, ownLines(stdout + stderr)], [0, '']);
    });

  it('rates what the service is exposed to', () => {
    const args = ['security', '--offline=true', '--no-pager', join(folder, 'reelgraph.service')];
    const text = execFileSync('systemd-analyze', args, { encoding: 'utf8' });
    const [, exposure] = /Overall exposure level for reelgraph\.service: ([\d.]+) /.exec(text) ?? [];
    assert.equal(Number(exposure), EXPOSURE, text);
  });
});

/** What is about these units, and not about others of the machine. */
function ownLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.includes('reelgraph'))
    .join('\n');
}
