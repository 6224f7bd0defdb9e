import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import {
  isPermission,
  PERMISSIONS,
  type Permission,
  TEST_TOKEN_PERMISSIONS,
  TOKEN_PERMISSIONS,
} from './kernel/permissions.ts';
import { platformSchema } from './schema.ts';
import { call, type Operation, operationsIn } from './testing/access-attempts.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

/** Every operation, called with scoped tokens of the owner of the example channel, who may do everything. */
const operations = operationsIn(platformSchema());
const nameOf = ({ kind, field, caseName }: Operation) => `${kind} ${field.name} ${caseName}`.trim();

/** Operations that need further permissions. */
const MORE: Readonly<Record<string, readonly Permission[]>> = {
  publishVideo: ['content:create', 'asset:upload'],
  createClip: ['asset:upload'],
  importYouTubeAndPublish: ['content:create'],
  importYouTubeLibrary: ['content:create'],
  predictVirality: ['analytics:read'],
};

/** Mutations of the account itself, which have no object in a channel. */
const OF_ACCOUNT: readonly string[] = [
  'mutation cancelDataExport own',
  "mutation cancelDataExport another's",
  'mutation clearHistory',
  'mutation createChannel',
  'mutation disconnectYouTube',
  'mutation exportData',
  'mutation follow of another account',
  'mutation followChannel of another account',
  'mutation markNotificationsRead',
  'mutation predictVirality own channel',
  'mutation updateNotificationSettings',
  'mutation updateProfile',
  'mutation updateSettings',
];
/** Cases that nobody may, with any credential. */
const IMPOSSIBLE = /the owner$|not in the trash$|not live$|not scheduled$|oneself$|another's$|without an encoder$/;

let fixture: SeededPlatform;
before(async () => {
  fixture = await openSeededPlatform();
});
after(() => fixture?.close());

/** Calls the operation with a token that has all permissions but one. */
async function callWithout(operation: Operation, missing: Permission) {
  const others = TOKEN_PERMISSIONS.filter((name) => name !== missing);
  return call(fixture, operation, 'owner', await fixture.ownerWith(others, null));
}

/** For a token that is limited to channels, what is not public in others does not exist; the rest it may not change. */
function assertRefused({ code, message, changed }: Awaited<ReturnType<typeof call>>, reason: RegExp): void {
  if (code !== 'RESOURCE_NOT_FOUND') {
    assert.equal(code, 'UNAUTHORIZED', message);
    assert.match(message, reason);
  }
  assert.deepEqual(changed, []);
}

describe('a token', () => {
  for (const operation of operations) {
    const { access, field, kind } = operation;
    if (!isPermission(access)) continue;
    for (const missing of [access, ...(MORE[field.name] ?? [])]) {
      test(`without ${missing} is refused ${nameOf(operation)}, which changes no row`, async () => {
        const { code, message, changed } = await callWithout(operation, missing);
        assert.equal(code, 'UNAUTHORIZED', message);
        // Streams tell the code only.
        if (TOKEN_PERMISSIONS.includes(missing) && kind !== 'subscription')
          assert.match(message, new RegExp(`does not have the permission ${missing}\\.`));
        assert.deepEqual(changed, []);
      });
    }

    if (kind !== 'mutation' || PERMISSIONS[access].role === null || IMPOSSIBLE.test(operation.caseName)) continue;
    test(`with the needed permissions alone may use ${nameOf(operation)}`, THOROUGH, async () => {
      const needed: Permission[] = [access, 'content:read', 'playlist:read', ...(MORE[field.name] ?? [])];
      const { code, message } = await call(fixture, operation, 'owner', await fixture.ownerWith(needed, null));
      assert.equal(code, 'allowed', message);
    });
  }
});

describe('a test token', () => {
  for (const operation of operations) {
    const { access, kind } = operation;
    if (kind !== 'mutation' || !isPermission(access) || !TEST_TOKEN_PERMISSIONS.includes(access)) continue;
    if (OF_ACCOUNT.includes(nameOf(operation))) continue;
    test(`is refused ${nameOf(operation)} of a channel that is not for tests, which changes no row`, async () => {
      const who = await fixture.inTestMode(TEST_TOKEN_PERMISSIONS);
      assertRefused(await call(fixture, operation, 'owner', who), /cannot act on the object of the argument/);
    });
  }

  for (const operation of operations) {
    const { access, kind } = operation;
    if (kind !== 'mutation' || !OF_ACCOUNT.includes(nameOf(operation)) || operation.caseName !== '') continue;
    test(`is refused ${nameOf(operation)}, which is for the whole account`, async () => {
      const who = await fixture.inTestMode(TEST_TOKEN_PERMISSIONS);
      const { code, message, changed } = await call(fixture, operation, 'owner', who);
      assert.equal(code, 'UNAUTHORIZED', message);
      assert.match(message, new RegExp(`does not have the permission ${access}\\.`));
      assert.deepEqual(changed, []);
    });
  }
});

describe('a token for another channel', () => {
  for (const operation of operations) {
    const { access, kind } = operation;
    if (kind !== 'mutation' || !isPermission(access) || !TOKEN_PERMISSIONS.includes(access)) continue;
    if (OF_ACCOUNT.includes(nameOf(operation))) continue;
    test(`is refused ${nameOf(operation)}, which changes no row`, async () => {
      const who = await fixture.ownerWith(TOKEN_PERMISSIONS, await fixture.otherChannel());
      assertRefused(await call(fixture, operation, 'owner', who), /is limited to other channels/);
    });
  }
});
