import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  type AccountSettingsResult,
  OpenBillingPortal,
  type PlanStateFragment,
  StartCheckout,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { calendarDate } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { formatLocale, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PlanNotice } from './plan-notice.tsx';

type Billing = AccountSettingsResult['me']['billing'];
type Offer = Billing['offers'][number];

/** How often, and how many times, the plan is read again after a payment. */
const LOOK_MS = 2_000;
const MOST_LOOKS = 20;

const STATES = {
  TRIALING: t`trial`,
  ACTIVE: t`active`,
  PAST_DUE: t`past due`,
  CANCELED: t`canceled`,
  EXPIRED: t`expired`,
} as const;
const NAMES = { FREE: t`Free`, PREMIUM: t`Premium`, PREMIUM_PLUS: 'Premium+', CREATOR_PLUS: 'Creator+' } as const;

const DOLLARS = new Intl.NumberFormat(formatLocale, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
});

interface Properties {
  readonly subscription: PlanStateFragment;
  readonly billing: Billing;
  /** Whether the visitor comes back from a payment. */
  readonly isPaid: boolean;
}

/** The plan of the account, what to do about it, and where it is paid. */
export function PlanPanel({ subscription, billing, isPaid }: Properties) {
  const { plan, state, endsAt, trial } = subscription;
  const action = useAction();
  const status = plan.name === 'Free' ? '' : STATES[state];
  const until = trial.active ? trial.endsAt : endsAt;
  const isSubscribed = billing.hasPortal && (state === 'ACTIVE' || state === 'PAST_DUE' || state === 'CANCELED');
  const offers = isSubscribed && plan.name !== 'Free' ? [] : billing.offers;
  const open = (name: string, page: () => Promise<string>): void =>
    action.run(name, async () => location.assign(await page()));
  return (
    <div id="plan" className="scroll-mt-20">
      <Panel title={t`Plan`}>
        <p>
          <strong>{plan.name}</strong>{' '}
          <span className="text-muted">{until ? t`${status}, until ${calendarDate(until)}` : status}</span>
        </p>
        {isPaid && <Confirmation isDone={state === 'ACTIVE' && plan.name !== 'Free'} />}
        <PlanNotice subscription={subscription} place="panel" />
        {action.error !== null && <ErrorNotice error={action.error} />}
        {offers.length > 0 && (
          <Offers
            offers={offers}
            busy={action.busy}
            onChoose={({ plan: chosen, interval }) =>
              open(`${chosen} ${interval}`, async () => {
                const { startCheckout } = await api(StartCheckout, { input: { plan: chosen, interval } });
                return startCheckout.url;
              })
            }
          />
        )}
        {billing.hasPortal && (
          <Button
            busy={action.busy === 'portal'}
            onClick={() => open('portal', async () => (await api(OpenBillingPortal)).openBillingPortal.url)}
          >{t`Manage billing`}</Button>
        )}
      </Panel>
    </div>
  );
}

/** Says that the payment arrived, and looks for it until then. */
function Confirmation({ isDone }: { readonly isDone: boolean }) {
  const router = useRouter();
  const [looks, setLooks] = useState(0);
  const isLooking = !isDone && looks < MOST_LOOKS;
  useEffect(() => {
    if (!isLooking) return;
    const timer = setTimeout(() => void router.invalidate().finally(() => setLooks(looks + 1)), LOOK_MS);
    return () => clearTimeout(timer);
  }, [router, isLooking, looks]);
  return (
    <p role="status" className="text-sea">
      {isDone && t`Thank you, your payment arrived.`}
      {isLooking && t`Your payment is being confirmed.`}
      {!isDone && !isLooking && t`Your payment is not confirmed yet. Open this page again in a few minutes.`}
    </p>
  );
}

interface OffersProperties {
  readonly offers: readonly Offer[];
  readonly busy: string | null;
  readonly onChoose: (offer: Offer) => void;
}

function Offers({ offers, busy, onChoose }: OffersProperties) {
  return (
    <ul aria-label={t`Plans`} className="divide-y divide-line">
      {offers.map((offer) => {
        const name = NAMES[offer.plan];
        const isAnnual = offer.interval === 'ANNUAL';
        const price = DOLLARS.format(offer.price);
        return (
          <li
            key={`${offer.plan} ${offer.interval}`}
            className="flex flex-wrap items-center justify-between gap-3 py-3"
          >
            <p>
              <strong>{name}</strong>{' '}
              <span className="text-muted">{isAnnual ? t`${price} a year` : t`${price} a month`}</span>
            </p>
            <Button
              busy={busy === `${offer.plan} ${offer.interval}`}
              onClick={() => onChoose(offer)}
              aria-label={isAnnual ? t`Choose ${name}, paid every year` : t`Choose ${name}, paid every month`}
            >{t`Choose`}</Button>
          </li>
        );
      })}
    </ul>
  );
}
