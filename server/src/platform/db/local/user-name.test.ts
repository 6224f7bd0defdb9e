import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isRoot } from './postgres-process.ts';
import { userNameFor } from './user-name.ts';

const folder = mkdtempSync(join(tmpdir(), 'user-name-'));
chmodSync(folder, 0o777);
after(() => rmSync(folder, { recursive: true }));

/** What `userNameFor` answers, or the message of its error, for a user of this number. */
function askedAs(uid: number, libraries: string): unknown {
  const program = `
    const { userNameFor } = await import(${JSON.stringify(join(import.meta.dirname, 'user-name.ts'))});
    let answer;
    try {
      answer = userNameFor(${JSON.stringify(folder)}, ${JSON.stringify(libraries)});
    } catch (error) {
      answer = error.message;
    }
    console.log(JSON.stringify(answer));`;
  const options = { uid, gid: uid, cwd: '/', encoding: 'utf8', env: { PATH: process.env.PATH } } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], options));
}

test('a user with a name needs nothing', () => {
  assert.deepEqual(userNameFor(folder, join(folder, 'none')), {});
});

test('a user without a name gets one for initdb', { skip: !isRoot() && 'needs root' }, () => {
  const library = join(folder, 'libnss_wrapper.so');
  writeFileSync(library, '');
  assert.deepEqual(askedAs(54_321, library), {
    LD_PRELOAD: library,
    NSS_WRAPPER_PASSWD: join(folder, 'initdb-passwd'),
    NSS_WRAPPER_GROUP: '/etc/group',
  });
  assert.equal(readFileSync(join(folder, 'initdb-passwd'), 'utf8'), 'reelgraph:x:54321:54321::/:/usr/sbin/nologin\n');
});

test('without nss_wrapper the error says what to do', { skip: !isRoot() && 'needs root' }, () => {
  assert.equal(
    askedAs(54_321, join(folder, 'none')),
    'User 54321 has no name here, and PostgreSQL needs one: add it to /etc/passwd, or install libnss-wrapper.',
  );
});
