import { t } from '../../../kernel/languages/message.ts';
import { PLANS } from '../../../kernel/plans.ts';
import type { Mail } from '../../../platform/mail/compose-mail.ts';
import { GRACE_DAYS, type SubscriptionFacts } from '../subscriptions/subscription.policy.ts';

/** What a new state of a plan needs to be told; null for nothing. */
export function planMail(
  { email, username }: { readonly email: string; readonly username: string },
  { plan, state }: SubscriptionFacts,
  url: string,
): Mail | null {
  const { name } = PLANS[plan];
  if (state === 'PAST_DUE')
    return {
      to: email,
      subject: t`A payment for ${name} failed`,
      paragraphs: [
        t`The last payment for the plan ${name} of the account ${username} failed. Everything keeps working for
          ${GRACE_DAYS} days. Check your card in the billing settings; the payment is then tried again.`,
      ],
      action: { label: t`Open the plan`, url },
    };
  if (state === 'EXPIRED')
    return {
      to: email,
      subject: t`Your plan ${name} has ended`,
      paragraphs: [
        t`The plan ${name} of the account ${username} has ended, and the limits of Free apply. Nothing was deleted:
          your videos stay as they are. Your API key works again with the next plan.`,
      ],
      action: { label: t`Choose a plan`, url },
    };
  return null;
}
