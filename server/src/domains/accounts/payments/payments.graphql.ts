import type { ArgBuilder, EntityRef, FieldFactory, Graph } from '../../../gql/index.ts';
import { PLANS } from '../../../kernel/plans.ts';
import { accountOf } from '../account-of.ts';
import type { SubscriptionTypes } from '../subscriptions/subscription.graphql.ts';
import { hasCustomer } from './payments.sql.ts';

/** Declares payments: what is for sale, and the pages of the payment provider. */
export function declarePayments(
  graph: Graph,
  { Me, PlanCode, Interval }: Pick<SubscriptionTypes, 'PlanCode' | 'Interval'> & { readonly Me: EntityRef },
): void {
  const PlanOffer = graph.object('PlanOffer', {
    description: 'A plan that can be bought.',
    fields: (f) => ({
      plan: f.value({ type: PlanCode, description: 'The plan.' }),
      interval: f.value({ type: Interval, description: 'How often it is paid.' }),
      price: f.value({ type: 'Float', description: 'Price per interval in US dollars.' }),
    }),
  });
  const Billing = graph.object('Billing', {
    description: 'How an account pays.',
    fields: (f) => ({
      hasPortal: f.value({
        type: 'Boolean',
        description: 'Whether openBillingPortal leads to cards, invoices, change and cancellation.',
      }),
      offers: f.value({
        type: [PlanOffer],
        description: 'One offer for each plan and interval for sale; none if this server takes no payments.',
      }),
    }),
  });
  graph.extend(Me, (f) => ({
    billing: f.column({
      type: Billing,
      description: 'How the account pays for its plan.',
      sql: (s) => hasCustomer(`${s.t}.account_id`),
      read: ([isCustomer]: [boolean], env) => {
        const { offers } = env.services.accounts;
        return {
          hasPortal: isCustomer && offers.length > 0,
          offers: offers.map(({ plan, interval }) => {
            const { monthlyAmountMinor, annualAmountMinor } = PLANS[plan];
            return { plan, interval, price: (interval === 'ANNUAL' ? annualAmountMinor : monthlyAmountMinor) / 100 };
          }),
        };
      },
    }),
  }));
  const payload = (f: FieldFactory) => ({
    url: f.value({
      type: 'URL',
      secret: true,
      description: 'Address of the page of the payment provider: open it at once, it soon expires.',
    }),
  });
  const StartCheckoutInput = graph.builder.inputType('StartCheckoutInput', {
    description: 'What to subscribe to.',
    fields: (t) => ({
      plan: t.field({ type: PlanCode, required: true, description: 'The plan.' }),
      interval: t.field({ type: Interval, required: true, description: 'How often it is paid.' }),
    }),
  });
  graph.mutation('startCheckout', {
    access: 'billing:manage',
    description:
      'Begins the payment for a plan and returns the page where it is completed. The plan changes once the provider ' +
      'has confirmed the payment, usually within seconds.',
    payload,
    args: (t: ArgBuilder) => ({
      input: t.field({ type: StartCheckoutInput, required: true, description: 'The plan.' }),
    }),
    command: async (context, { input }) => ({
      url: await context.services.accounts.startCheckout(accountOf(context), input),
    }),
  });
  graph.mutation('openBillingPortal', {
    access: 'billing:manage',
    description: 'Returns the page of the provider with cards, invoices, change of plan and cancellation.',
    payload,
    command: async (context) => ({
      url: await context.services.accounts.openBillingPortal(accountOf(context)),
    }),
  });
}
