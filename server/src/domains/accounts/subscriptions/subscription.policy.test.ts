import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SubscriptionState } from '../../../kernel/plans.ts';
import { readSubscriptionTransitions } from '../../../testing/access-document.ts';
import {
  accessUntilMs,
  applyToSubscription,
  DAY_MS,
  GRACE_DAYS,
  isTrialAvailable,
  type SubscriptionAction,
  type SubscriptionFacts,
  setByOperator,
  stateAt,
  TRIAL_DAYS,
} from './subscription.policy.ts';

const NOW = Date.UTC(2026, 10, 20);
const NEW: SubscriptionFacts = {
  plan: 'FREE',
  billingInterval: 'MONTHLY',
  state: 'ACTIVE',
  billAtMs: null,
  endsAtMs: null,
  canceledAtMs: null,
  pastDueAtMs: null,
  trialStartedAtMs: null,
  trialEndsAtMs: null,
  trialConverted: false,
};
const PAID: Readonly<Record<SubscriptionState, SubscriptionFacts>> = {
  ACTIVE: { ...NEW, plan: 'CREATOR_PLUS', billAtMs: NOW + 5 * DAY_MS },
  TRIALING: {
    ...NEW,
    plan: 'CREATOR_PLUS',
    state: 'TRIALING',
    trialStartedAtMs: NOW - DAY_MS,
    trialEndsAtMs: NOW + 13 * DAY_MS,
  },
  PAST_DUE: { ...NEW, plan: 'CREATOR_PLUS', state: 'PAST_DUE', pastDueAtMs: NOW - DAY_MS },
  CANCELED: { ...NEW, plan: 'CREATOR_PLUS', state: 'CANCELED', canceledAtMs: NOW - DAY_MS, endsAtMs: NOW + DAY_MS },
  EXPIRED: { ...NEW, plan: 'CREATOR_PLUS', state: 'EXPIRED', endsAtMs: NOW - DAY_MS },
};

function change(subscription: SubscriptionFacts, action: SubscriptionAction, nowMs = NOW): SubscriptionFacts {
  const outcome = applyToSubscription(subscription, action, nowMs);
  assert.ok(outcome.kind === 'changed', JSON.stringify(outcome));
  return outcome.subscription;
}

describe('subscription lifecycle', () => {
  it('is documented for each action', () => {
    assert.deepEqual(
      [...readSubscriptionTransitions().keys()],
      ['activate', 'paymentFailed', 'cancel', 'resume', 'expire'],
    );
  });

  const actions: SubscriptionAction[] = [
    { name: 'activate', plan: 'PREMIUM_PLUS' },
    { name: 'paymentFailed' },
    { name: 'cancel' },
    { name: 'resume' },
    { name: 'expire' },
  ];
  const documented = readSubscriptionTransitions();
  for (const action of actions) {
    for (const [index, state] of (['TRIALING', 'ACTIVE', 'PAST_DUE', 'CANCELED', 'EXPIRED'] as const).entries()) {
      const to = documented.get(action.name)?.[index] ?? null;
      it(`${action.name} from ${state} ${to ? `leads to ${to}` : 'is refused'}`, () => {
        const outcome = applyToSubscription(PAID[state], action, NOW);
        if (to === null) assert.equal(outcome.kind, 'refused');
        else assert.equal(outcome.kind === 'changed' && outcome.subscription.state, to);
      });
    }
  }

  it('gives a new account a trial of Creator+ for 14 days, once', () => {
    assert.equal(isTrialAvailable(NEW, NOW), true);
    const trial = change(NEW, { name: 'startTrial' });
    assert.deepEqual(
      [trial.plan, trial.state, trial.trialStartedAtMs, trial.trialEndsAtMs],
      ['CREATOR_PLUS', 'TRIALING', NOW, NOW + TRIAL_DAYS * DAY_MS],
    );
    assert.equal(accessUntilMs(trial), NOW + TRIAL_DAYS * DAY_MS);
    for (const later of [NOW + DAY_MS, NOW + 20 * DAY_MS]) {
      const again = applyToSubscription(trial, { name: 'startTrial' }, later);
      assert.match(again.kind === 'refused' ? String(again.reason) : '', /has already used its trial/);
      assert.equal(isTrialAvailable(trial, later), false);
    }
  });

  it('reports a trial as EXPIRED from the instant it ends, without a write', () => {
    const trial = change(NEW, { name: 'startTrial' });
    const end = NOW + TRIAL_DAYS * DAY_MS;
    assert.equal(stateAt(trial, end - 1), 'TRIALING');
    assert.equal(stateAt(trial, end), 'EXPIRED');
    assert.equal(applyToSubscription(trial, { name: 'expire' }, end).kind, 'refused');
  });

  it('marks a trial as converted when a plan is activated, also after its end', () => {
    const trial = change(NEW, { name: 'startTrial' });
    assert.equal(change(trial, { name: 'activate', plan: 'PREMIUM_PLUS' }, NOW + 30 * DAY_MS).trialConverted, true);
    assert.equal(change(NEW, { name: 'activate', plan: 'PREMIUM_PLUS' }).trialConverted, false);
  });

  it('refuses a trial on top of a running paid plan, and allows one after it expired', () => {
    assert.equal(isTrialAvailable(PAID.ACTIVE, NOW), false);
    assert.equal(isTrialAvailable(PAID.CANCELED, NOW), false);
    assert.equal(isTrialAvailable(PAID.EXPIRED, NOW), true);
  });

  it('keeps access for the grace period after a failed payment; a second failure does not prolong it', () => {
    const failed = change(PAID.ACTIVE, { name: 'paymentFailed' });
    const again = change(failed, { name: 'paymentFailed' }, NOW + 3 * DAY_MS);
    assert.equal(accessUntilMs(again), NOW + GRACE_DAYS * DAY_MS);
    assert.equal(stateAt(again, NOW + GRACE_DAYS * DAY_MS), 'EXPIRED');
  });

  it('keeps access to the end of the paid period after canceling, and can resume before that', () => {
    const canceled = change(PAID.ACTIVE, { name: 'cancel' });
    assert.equal(accessUntilMs(canceled), NOW + 5 * DAY_MS);
    const resumed = change(canceled, { name: 'resume' }, NOW + DAY_MS);
    assert.deepEqual([resumed.state, resumed.endsAtMs, resumed.billAtMs], ['ACTIVE', null, NOW + 5 * DAY_MS]);
    assert.equal(applyToSubscription(canceled, { name: 'resume' }, NOW + 5 * DAY_MS).kind, 'refused');
  });

  it('does not resume past an open payment', () => {
    const canceled = change(PAID.PAST_DUE, { name: 'cancel' });
    assert.equal(accessUntilMs(canceled), accessUntilMs(PAID.PAST_DUE));
    assert.match(JSON.stringify(applyToSubscription(canceled, { name: 'resume' }, NOW)), /payment is outstanding/);
  });

  it('refuses to cancel, fail or expire Free', () => {
    for (const name of ['cancel', 'paymentFailed', 'expire', 'resume'] as const)
      assert.equal(applyToSubscription(NEW, { name }, NOW).kind, 'refused');
    assert.equal(accessUntilMs(NEW), Number.NEGATIVE_INFINITY);
    assert.equal(stateAt(NEW, NOW), 'ACTIVE');
  });

  it('gives access without an end while paid', () =>
    assert.equal(accessUntilMs(PAID.ACTIVE), Number.POSITIVE_INFINITY));
});

describe('operator settings', () => {
  const cases: readonly [string, Parameters<typeof setByOperator>[1], number][] = [
    ['active', { plan: 'CREATOR_PLUS', state: 'ACTIVE' }, Number.POSITIVE_INFINITY],
    ['a trial', { plan: 'CREATOR_PLUS', state: 'TRIALING' }, NOW + TRIAL_DAYS * DAY_MS],
    ['a trial that is over', { plan: 'CREATOR_PLUS', state: 'TRIALING', endsAtMs: NOW - DAY_MS }, NOW - DAY_MS],
    ['past due', { plan: 'PREMIUM_PLUS', state: 'PAST_DUE' }, NOW + GRACE_DAYS * DAY_MS],
    ['canceled now', { plan: 'PREMIUM_PLUS', state: 'CANCELED' }, NOW],
    ['canceled later', { plan: 'PREMIUM_PLUS', state: 'CANCELED', endsAtMs: NOW + DAY_MS }, NOW + DAY_MS],
    ['expired', { plan: 'PREMIUM_PLUS', state: 'EXPIRED' }, Number.NEGATIVE_INFINITY],
    ['free', { plan: 'FREE', state: 'ACTIVE' }, Number.NEGATIVE_INFINITY],
  ];
  for (const [name, setting, until] of cases) {
    it(`sets ${name} from any state`, () => {
      for (const current of [NEW, ...Object.values(PAID)]) {
        const outcome = setByOperator(current, setting, NOW);
        assert.ok(outcome.kind === 'changed');
        assert.equal(accessUntilMs(outcome.subscription), until);
        assert.equal(outcome.subscription.plan, setting.plan);
      }
    });
  }

  it('refuses contradictions', () => {
    assert.equal(setByOperator(NEW, { plan: 'FREE', state: 'TRIALING' }, NOW).kind, 'refused');
    assert.equal(setByOperator(NEW, { plan: 'CREATOR_PLUS', state: 'ACTIVE', endsAtMs: NOW }, NOW).kind, 'refused');
  });
});
