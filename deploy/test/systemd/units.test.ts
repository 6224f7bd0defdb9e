import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findWrongSettings } from '../settings.ts';
import { readUnit, UNITS, valuesOf } from './unit-file.ts';

/** With these, bubblewrap could not make the sandbox of the media tools, or V8 not compile. */
const IMPOSSIBLE = [
  ...['RestrictNamespaces', 'PrivateUsers', 'ProtectHostname', 'ProtectKernelTunables', 'ProtectKernelLogs'],
  ...['ProcSubset', 'MemoryDenyWriteExecute'],
];

describe('the units of systemd', () => {
  for (const name of UNITS) {
    const unit = readUnit(name);

    it(`${name} leaves the sandbox possible`, () => {
      assert.deepEqual(
        unit.filter(([directive]) => IMPOSSIBLE.includes(directive)),
        [],
      );
      assert.deepEqual(valuesOf(unit, 'SystemCallFilter'), ['@system-service @mount sethostname']);
    });

    it(`${name} has settings that exist, and writes where the platform may`, () => {
      const environment = valuesOf(unit, 'Environment').map((each) => each.split('=') as [string, string]);
      assert.deepEqual(findWrongSettings(environment.map(([setting]) => setting)), []);
      const [state = ''] = valuesOf(unit, 'StateDirectory');
      assert.equal(new Map(environment).get('DATA_DIR'), `/var/lib/${state}`);
      assert.deepEqual(valuesOf(unit, 'WorkingDirectory'), [`/var/lib/${state}`]);
      assert.equal(new Map(environment).get('NODE_COMPILE_CACHE'), `/var/cache/${valuesOf(unit, 'CacheDirectory')[0]}`);
    });
  }

  it('differ in nothing but the role', () => {
    const role = readUnit('reelgraph@.service')
      .filter(([, value]) => value !== '-/etc/reelgraph/%i.env')
      .map(([name, value]) => [name, value.replace(/ --role %i$|, role %i$|-%i$/, '')]);
    assert.deepEqual(role, readUnit('reelgraph.service'));
    assert.deepEqual(valuesOf(readUnit('reelgraph@.service'), 'ExecStart'), [
      '/opt/reelgraph/bin/reelgraph-server --role %i',
    ]);
  });
});
