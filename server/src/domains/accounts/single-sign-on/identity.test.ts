import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupsIn } from './identity.ts';
import { asHandle } from './username.ts';

describe('claims of a provider', () => {
  for (const [claims, claim, groups] of [
    [{ groups: ['a', 'b'] }, 'groups', ['a', 'b']],
    [{ groups: 'a' }, 'groups', ['a']],
    [{ groups: ['a', 1, null, { name: 'b' }] }, 'groups', ['a']],
    [{ realm_access: { roles: ['admin'] } }, 'realm_access.roles', ['admin']],
    [{ 'https://example.com/groups': ['a'] }, 'https://example.com/groups', ['a']],
    [{ groups: { a: true } }, 'groups', null],
    [{}, 'groups', null],
    [{ realm_access: null }, 'realm_access.roles', null],
    [{}, 'constructor.name', null],
    [{}, '__proto__', null],
  ] as const)
    it(`have the groups ${JSON.stringify(groups)} in ${JSON.stringify(claims)}`, () => {
      assert.deepEqual(groupsIn(claims, claim), groups);
    });

  for (const [nickname, name] of [
    ['ada.lovelace', 'ada.lovelace'],
    ['Zoë van Dam', 'Zoe_van_Dam'],
    ['..ada', 'ada'],
    ['-_ada', '_ada'],
    ['山田', ''],
    ['a'.repeat(50), 'a'.repeat(32)],
  ] as const)
    it(`make the username ${name} of ${nickname}`, () => {
      assert.equal(asHandle(nickname), name);
    });
});
