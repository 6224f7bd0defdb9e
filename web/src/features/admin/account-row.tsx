import { Link } from '@tanstack/react-router';
import type { AccountRowFragment } from '../../gql/generated/operations.gen.ts';
import { ago, calendarDate } from '../../lib/format.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Code } from '../../ui/code.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Avatar } from '../../ui/image.tsx';
import { POPOVER_ITEM, Popover } from '../../ui/popover.tsx';
import { planName } from '../account/plan-names.ts';

export type AccountAction = 'suspend' | 'reinstate' | 'plan' | 'reset';

interface Properties {
  readonly account: AccountRowFragment;
  readonly onAction: (action: AccountAction, account: AccountRowFragment) => void;
}

/** An account in the list of operators, with a menu of what they can do. */
export function AccountRow({ account, onAction }: Properties) {
  const { username, displayName, email, emailConfirmed, isOperator, suspendedAt, suspensionReason, deletesAt } =
    account;
  return (
    <li tabIndex={-1} className="flex items-center gap-4 py-3">
      <Avatar image={null} name={displayName} className="size-10 shrink-0 text-sm" />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 [overflow-wrap:anywhere]">
          <Link to="/@{$handle}" params={{ handle: account.channel.handle }} className="font-semibold hover:underline">
            {username}
          </Link>
          {isOperator && <Badge>{t`Operator`}</Badge>}
          {suspendedAt !== null && <Badge danger>{t`Suspended`}</Badge>}
          {deletesAt !== null && <Badge danger>{t`Will be deleted on ${calendarDate(deletesAt)}`}</Badge>}
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          <Code as="bdi">{email}</Code>
          {[emailConfirmed && t`confirmed`, account.twoFactorEnabled && t`two-factor`]
            .filter(Boolean)
            .map((fact) => ` · ${fact}`)}
        </p>
        {suspensionReason !== null && (
          <p dir="auto" className="text-sm text-muted">
            {suspensionReason}
          </p>
        )}
        <p className="text-sm text-muted md:hidden">
          <Plan {...account} />
        </p>
      </div>
      <p className="hidden w-36 shrink-0 text-sm md:block">
        <Plan {...account} />
      </p>
      <p className="hidden w-44 shrink-0 text-sm text-muted md:block">
        {t`since ${calendarDate(account.createdAt)}`}
        {account.lastActiveAt !== null && (
          <>
            <br />
            {t`active ${ago(account.lastActiveAt, Date.now())}`}
          </>
        )}
      </p>
      <Menu account={account} onAction={onAction} />
    </li>
  );
}

const STATES: Readonly<Record<AccountRowFragment['subscription']['state'], string>> = {
  ACTIVE: t`active`,
  TRIALING: t`trialing`,
  PAST_DUE: t`past due`,
  CANCELED: t`canceled`,
  EXPIRED: t`expired`,
};

function Plan({ subscription: { plan, state } }: AccountRowFragment) {
  const name = planName(plan.name);
  const stateName = STATES[state];
  return state === 'ACTIVE' ? (
    <bdi>{name}</bdi>
  ) : (
    <Trans>
      <bdi>{name}</bdi>, {stateName}
    </Trans>
  );
}

const DANGER = 'border-danger text-danger';

function Badge({ danger = false, children }: { readonly danger?: boolean; readonly children: string }) {
  return (
    <span className={`rounded-full border px-2 py-0.5 text-xs ${danger ? DANGER : 'border-line-strong text-muted'}`}>
      {children}
    </span>
  );
}

/** What operators can do; operators cannot be suspended. */
function actionsOf({ suspendedAt, isOperator }: AccountRowFragment): readonly (readonly [AccountAction, string])[] {
  return [
    ['plan', t`Set plan`],
    ['reset', t`Send password reset`],
    ...(suspendedAt !== null ? [['reinstate', t`End suspension`] as const] : []),
    ...(suspendedAt === null && !isOperator ? [['suspend', t`Suspend`] as const] : []),
  ];
}

function Menu({ account, onAction }: Properties) {
  return (
    <Popover
      label={t`Actions for ${account.username}`}
      face={<Icon name="more" className="size-5" />}
      className="rounded-full p-2 hover:bg-raised"
    >
      {actionsOf(account).map(([action, label]) => (
        <button key={action} type="button" className={POPOVER_ITEM} onClick={() => onAction(action, account)}>
          {label}
        </button>
      ))}
    </Popover>
  );
}
