import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Access } from '../../../kernel/permissions.ts';
import { type AuthorizedViewer, authorizeViewer, effectivePermissions, effectivePlan } from './key-access.policy.ts';

const NOW = Date.UTC(2026, 10, 20);
const NEVER = Number.POSITIVE_INFINITY;
const NOT = Number.NEGATIVE_INFINITY;

function viewer(
  credential: AuthorizedViewer['credential'],
  plan: AuthorizedViewer['plan'],
  state: AuthorizedViewer['state'],
  accessUntilMs: number,
  isOperator = false,
): AuthorizedViewer {
  return { credential, plan, state, accessUntilMs, isOperator };
}

const ALLOWED: readonly [string, AuthorizedViewer | null, Access][] = [
  ['anyone reads what is public', null, 'public'],
  ['a key on an active developer plan reads', viewer('key', 'PREMIUM_PLUS', 'ACTIVE', NEVER), 'content:read'],
  ['a key during the trial creates', viewer('key', 'CREATOR_PLUS', 'TRIALING', NOW + 1), 'content:create'],
  ['a key in the grace period creates', viewer('key', 'CREATOR_PLUS', 'PAST_DUE', NOW + 1), 'content:create'],
  [
    'a key until the end of a canceled subscription',
    viewer('key', 'CREATOR_PLUS', 'CANCELED', NOW + 1),
    'account:read',
  ],
  [
    'a connected application on a developer plan creates',
    viewer('oauth', 'CREATOR_PLUS', 'ACTIVE', NEVER),
    'content:create',
  ],
  ['a session on Free reads its account', viewer('session', 'FREE', 'ACTIVE', NOT), 'account:read'],
  ['a session on Free manages its key', viewer('session', 'FREE', 'ACTIVE', NOT), 'api_key:manage'],
  ['an operator on Free invites', viewer('session', 'FREE', 'ACTIVE', NOT, true), 'invitation:manage'],
  [
    'an operator whose plan has lapsed invites',
    viewer('session', 'CREATOR_PLUS', 'EXPIRED', NOT, true),
    'invitation:manage',
  ],
  ['a session after the trial keeps working', viewer('session', 'CREATOR_PLUS', 'TRIALING', NOW - 1), 'content:create'],
];

const DENIED: readonly [string, AuthorizedViewer | null, Access, string, RegExp, RegExp][] = [
  ['an anonymous caller', null, 'account:read', 'UNAUTHENTICATED', /API key is required/, /Authorization: Bearer/],
  [
    'a key on Free',
    viewer('key', 'FREE', 'ACTIVE', NOT),
    'content:read',
    'UNAUTHORIZED',
    /Free plan has no developer access/,
    /Premium\+ or Creator\+/,
  ],
  [
    'a connected application on Free',
    viewer('oauth', 'FREE', 'ACTIVE', NOT),
    'public',
    'UNAUTHORIZED',
    /connected application is not accepted/,
    /Premium\+ or Creator\+/,
  ],
  [
    'a connected application that manages the key',
    viewer('oauth', 'CREATOR_PLUS', 'ACTIVE', NEVER),
    'api_key:manage',
    'UNAUTHORIZED',
    /not to its connected application/,
    /Sign in on the website/,
  ],
  [
    'a key on Premium',
    viewer('key', 'PREMIUM', 'ACTIVE', NEVER),
    'content:read',
    'UNAUTHORIZED',
    /Premium plan has no developer/,
    /Premium\+ or Creator\+/,
  ],
  [
    'a key after the trial',
    viewer('key', 'CREATOR_PLUS', 'TRIALING', NOW - 1),
    'content:read',
    'UNAUTHORIZED',
    /trial has ended/,
    /Move to/,
  ],
  [
    'a key at the very end of the trial',
    viewer('key', 'CREATOR_PLUS', 'TRIALING', NOW),
    'content:read',
    'UNAUTHORIZED',
    /trial has ended/,
    /Move to/,
  ],
  [
    'a key after the grace period',
    viewer('key', 'CREATOR_PLUS', 'PAST_DUE', NOW),
    'content:read',
    'UNAUTHORIZED',
    /payment/,
    /Pay the outstanding/,
  ],
  [
    'a key after cancellation',
    viewer('key', 'CREATOR_PLUS', 'CANCELED', NOW),
    'content:read',
    'UNAUTHORIZED',
    /canceled/,
    /Move to/,
  ],
  [
    'a key of an expired subscription',
    viewer('key', 'CREATOR_PLUS', 'EXPIRED', NOT),
    'content:read',
    'UNAUTHORIZED',
    /expired/,
    /Move to/,
  ],
  [
    'a lapsed key even where it is public',
    viewer('key', 'CREATOR_PLUS', 'EXPIRED', NOT),
    'public',
    'UNAUTHORIZED',
    /expired/,
    /Move to/,
  ],
  [
    'a session of no operator that invites',
    viewer('session', 'CREATOR_PLUS', 'ACTIVE', NEVER),
    'invitation:manage',
    'UNAUTHORIZED',
    /Only a signed-in operator/,
    /grant-operator/,
  ],
  [
    'an operator’s key that invites',
    viewer('key', 'CREATOR_PLUS', 'ACTIVE', NEVER, true),
    'invitation:manage',
    'UNAUTHORIZED',
    /Only a signed-in operator/,
    /grant-operator/,
  ],
  [
    'a key managing keys',
    viewer('key', 'CREATOR_PLUS', 'ACTIVE', NEVER),
    'api_key:manage',
    'UNAUTHORIZED',
    /signed-in account/,
    /Sign in/,
  ],
];

describe('authorization of a viewer', () => {
  for (const [name, who, access] of ALLOWED) {
    it(`allows: ${name}`, () => assert.deepEqual(authorizeViewer(who, access, NOW), { kind: 'allow' }));
  }
  for (const [name, who, access, code, message, fix] of DENIED) {
    it(`refuses: ${name}`, () => {
      const decision = authorizeViewer(who, access, NOW);
      assert.ok(decision.kind === 'deny');
      assert.equal(decision.error.code, code);
      assert.match(decision.error.message, message);
      assert.match(decision.error.suggestedFix, fix);
    });
  }

  it('treats a lapsed plan as Free, and never lets keys manage keys', () => {
    assert.equal(effectivePlan({ plan: 'CREATOR_PLUS', accessUntilMs: NOW }, NOW), 'FREE');
    assert.equal(effectivePlan({ plan: 'CREATOR_PLUS', accessUntilMs: NOW + 1 }, NOW), 'CREATOR_PLUS');
    assert.equal(
      effectivePermissions(viewer('key', 'CREATOR_PLUS', 'ACTIVE', NEVER), NOW).includes('api_key:manage'),
      false,
    );
    assert.equal(effectivePermissions(viewer('session', 'FREE', 'ACTIVE', NOT), NOW).includes('api_key:manage'), true);
  });
});
