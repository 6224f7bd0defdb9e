import type { EntityRef, Graph, RequestEnv } from '../../../gql/index.ts';
import {
  PLAN_CODES,
  PLANS,
  type PlanCode,
  SUBSCRIPTION_STATES,
  type SubscriptionState,
} from '../../../kernel/plans.ts';
import { graceEnd, stateNow } from './subscription.sql.ts';

const STATE_MEANINGS: Readonly<Record<SubscriptionState, string>> = {
  TRIALING: 'The 14-day trial is running.',
  ACTIVE: 'Paid or granted; also the state of every Free account.',
  PAST_DUE: 'A payment failed; access continues for a grace period of 7 days.',
  CANCELED: 'Canceled; access continues until the end of the paid period.',
  EXPIRED: 'The trial or the subscription has ended.',
};

export type SubscriptionTypes = ReturnType<typeof declareSubscription>;

/** Declares Subscription and its types: rows of `subscriptions`, keyed by their account. */
export function declareSubscription(graph: Graph) {
  const State = graph.builder.enumType('SubscriptionState', {
    description: 'State of a subscription.',
    values: Object.fromEntries(
      SUBSCRIPTION_STATES.map((state) => [state, { description: STATE_MEANINGS[state] }]),
    ) as Record<SubscriptionState, { description: string }>, // fromEntries widens the keys
  });
  const Interval = declareInterval(graph);
  const plan = planPart(graph, Interval);
  const trial = trialPart(graph);
  const Subscription = graph.entity('AccountSubscription', {
    description: 'The plan of an account and its state.',
    table: 'subscriptions',
    key: 'account_id',
    fields: (f) => ({
      plan: f.embed({ type: plan, description: 'The plan.' }),
      state: f.column({ type: State, description: 'Current state.', sql: (s) => stateNow(s, s.t) }),
      billAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'The next payment, if one is due.',
        sql: (s) => `${s.t}.bill_at`,
      }),
      endsAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When a canceled or expired subscription ends or ended.',
        sql: (s) => `${s.t}.ends_at`,
      }),
      canceledAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was canceled.',
        sql: (s) => `${s.t}.canceled_at`,
      }),
      graceEndsAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'With PAST_DUE: until when everything keeps working.',
        sql: (s) => graceEnd(s.t),
      }),
      trial: f.embed({ type: trial, description: 'The 14-day trial, once per account.' }),
    }),
  });
  return { Subscription, State, PlanCode: declarePlanCode(graph), Interval };
}

function declareInterval(graph: Graph) {
  return graph.builder.enumType('PlanInterval', {
    description: 'Billing interval of a plan.',
    values: { MONTHLY: { description: 'Every month.' }, ANNUAL: { description: 'Every year.' } },
  });
}

function declarePlanCode(graph: Graph) {
  return graph.builder.enumType('PlanCode', {
    description: 'The plan of an account.',
    values: Object.fromEntries(
      PLAN_CODES.map((code) => [code, { description: `The plan ${PLANS[code].name}.` }]),
    ) as Record<PlanCode, { description: string }>, // fromEntries widens the keys
  });
}

function planPart(graph: Graph, Interval: ReturnType<typeof declareInterval>): EntityRef {
  return graph.part('Plan', {
    description: 'A plan and its price.',
    fields: (f) => ({
      name: f.column({
        type: 'String',
        description: 'Free, Premium, Premium+ or Creator+.',
        sql: (s) => `${s.t}.plan`,
        read: ([plan]: [PlanCode]) => PLANS[plan].name,
      }),
      price: f.column({
        type: 'Float',
        description: 'Price per interval in US dollars.',
        sql: (s) => [`${s.t}.plan`, `${s.t}.billing_interval`],
        read: ([plan, interval]: [PlanCode, 'MONTHLY' | 'ANNUAL']) => priceOf(plan, interval),
      }),
      interval: f.column({
        type: Interval,
        description: 'Billing interval of the price.',
        sql: (s) => `${s.t}.billing_interval`,
      }),
    }),
  });
}

function priceOf(plan: PlanCode, interval: 'MONTHLY' | 'ANNUAL'): number {
  const { monthlyAmountMinor, annualAmountMinor } = PLANS[plan];
  return (interval === 'ANNUAL' ? annualAmountMinor : monthlyAmountMinor) / 100;
}

function trialPart(graph: Graph): EntityRef {
  return graph.part('TrialInfo', {
    description: 'The 14-day trial of Creator+.',
    fields: (f) => ({
      active: f.column({
        type: 'Boolean',
        description: 'Whether it is running now.',
        sql: (s) => [`${s.t}.state = 'TRIALING'`, `${s.t}.trial_ends_at`],
        read: ([isTrialing, endsAt]: [boolean, string | null], env: RequestEnv) =>
          isTrialing && endsAt !== null && Date.parse(endsAt) > env.nowMs,
      }),
      startedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it started, if ever.',
        sql: (s) => `${s.t}.trial_started_at`,
      }),
      endsAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it ends or ended.',
        sql: (s) => `${s.t}.trial_ends_at`,
      }),
      converted: f.column({
        type: 'Boolean',
        description: 'Whether a plan was chosen after it.',
        sql: (s) => `${s.t}.trial_converted`,
      }),
    }),
  });
}
