import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { permissionGroups } from './token-permissions.ts';

const permission = (name: string) => ({ name, description: '', plan: 'Free', inTestMode: true });

describe('permissions of tokens', () => {
  test('are grouped by resource, in their order', () => {
    const groups = permissionGroups(['content:read', 'signing_key:manage', 'content:create'].map(permission));
    assert.deepEqual(
      groups.map(({ title, permissions }) => [title, permissions.map(({ name }) => name)]),
      [
        ['Content', ['content:read', 'content:create']],
        ['Signing key', ['signing_key:manage']],
      ],
    );
  });
});
