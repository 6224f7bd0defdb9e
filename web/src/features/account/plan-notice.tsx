import { Link } from '@tanstack/react-router';
import type { PlanStateFragment } from '../../gql/generated/operations.gen.ts';
import { calendarDate } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Icon } from '../../ui/icons.tsx';

interface Properties {
  readonly subscription: PlanStateFragment;
  /** Elsewhere than in the panel of the plan, it links there. */
  readonly place: 'panel' | 'elsewhere';
}

/** Says what to do about a plan whose payment failed or that has ended; nothing for others. */
export function PlanNotice({ subscription, place }: Properties) {
  const text = textOf(subscription);
  if (text === null) return null;
  return (
    <div role="status" className="flex gap-3 rounded-xl border border-danger/45 bg-surface p-4">
      <Icon name="warning" className="mt-0.5 size-5 shrink-0 text-danger" />
      <p className="min-w-0">
        {text}{' '}
        {place === 'elsewhere' && (
          <Link
            to="/settings/account"
            hash="plan"
            className="text-accent-text underline underline-offset-3"
          >{t`Open the plan`}</Link>
        )}
      </p>
    </div>
  );
}

function textOf({ state, plan, graceEndsAt }: PlanStateFragment): string | null {
  if (state === 'PAST_DUE') {
    return graceEndsAt === null
      ? t`The last payment for ${plan.name} failed. Everything keeps working for now: check your card.`
      : t`The last payment for ${plan.name} failed. Everything keeps working until ${calendarDate(graceEndsAt)}: check
          your card before then.`;
  }
  if (state === 'EXPIRED')
    return t`Your plan ${plan.name} has ended: the limits of Free apply, nothing was deleted. Choose a plan to go on.`;
  return null;
}
