import type { Viewer } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type Message, sentences, t } from '../../../kernel/languages/message.ts';
import {
  type Access,
  type Holder,
  isForOperators,
  isPermission,
  PERMISSIONS,
  type Permission,
  permissionsOf,
} from '../../../kernel/permissions.ts';
import {
  type ChangedQuotas,
  limitsOf,
  PLAN_CODES,
  PLANS,
  type PlanCode,
  type PlanLimits,
} from '../../../kernel/plans.ts';
import { developerAccess } from '../subscriptions/developer-access.policy.ts';
import { TRIAL_DAYS, TRIAL_PLAN } from '../subscriptions/subscription.policy.ts';

export type Decision = { readonly kind: 'allow' } | { readonly kind: 'deny'; readonly error: AppError };

/** The columns of a viewer that authorization needs. */
export type AuthorizedViewer = Pick<Viewer, 'plan' | 'state' | 'accessUntilMs' | 'isOperator' | 'credential' | 'token'>;

/** Precomputed, because every request needs it. */
const GRANTED = {
  key: grantedTo('key'),
  token: grantedTo('token'),
  oauth: grantedTo('oauth'),
  session: grantedTo('session'),
  operator: grantedTo('session', true),
};
const NOT_ACCEPTED = {
  key: t`The API key is not accepted.`,
  token: t`The token is not accepted.`,
  oauth: t`The connected application is not accepted.`,
};
const ALLOW: Decision = { kind: 'allow' };

/**
 * Whether `viewer` (null: anonymous) has `access` at `nowMs`. A key, a token or a connected application works only
 * while the account has developer access, also for public fields; a session keeps the permissions of the Free plan
 * after a subscription has lapsed.
 */
export function authorizeViewer(viewer: AuthorizedViewer | null, access: Access, nowMs: number): Decision {
  if (viewer === null) return access === 'public' ? ALLOW : deny(new AppError('UNAUTHENTICATED'));
  if (viewer.credential !== 'session') {
    const developer = developerAccess(viewer, nowMs, false);
    if (!developer.eligible) {
      return deny(
        new AppError('UNAUTHORIZED', sentences(developer.reason, NOT_ACCEPTED[viewer.credential]), {
          suggestedFix: developer.howToBecomeEligible,
        }),
      );
    }
  }
  if (!isPermission(access) || effectivePermissions(viewer, nowMs).includes(access)) return ALLOW;
  return deny(missingPermission(viewer, access));
}

/** The permissions `viewer` has at `nowMs`, as verifyConnection lists them. */
export function effectivePermissions(viewer: AuthorizedViewer, nowMs: number): readonly Permission[] {
  const holder = viewer.credential === 'session' && viewer.isOperator ? 'operator' : viewer.credential;
  const granted = GRANTED[holder][effectivePlan(viewer, nowMs)];
  const { token } = viewer;
  return token ? granted.filter((permission) => token.permissions.includes(permission)) : granted;
}

/** The plan whose permissions and limits apply: the Free one once a paid one has lapsed. */
export function effectivePlan(viewer: Pick<Viewer, 'plan' | 'accessUntilMs'>, nowMs: number): PlanCode {
  return viewer.accessUntilMs > nowMs ? viewer.plan : 'FREE';
}

/**
 * The quotas that apply: those of the effective plan, and during a trial those of `limitsOf` a trial. `changed`: by
 * operators, as CHANGED_QUOTAS reads them.
 */
export function effectiveLimits(
  viewer: Pick<Viewer, 'plan' | 'state' | 'accessUntilMs'>,
  changed: ChangedQuotas | null,
  nowMs: number,
): PlanLimits {
  const plan = effectivePlan(viewer, nowMs);
  return limitsOf(plan, plan !== 'FREE' && viewer.state === 'TRIALING', changed);
}

function missingPermission(viewer: AuthorizedViewer, permission: Permission): AppError {
  if (isForOperators(permission))
    return new AppError('UNAUTHORIZED', t`Only a signed-in operator of this server may do that.`, {
      suggestedFix: t`Ask an operator of this server, or run on the server: npm run admin -- grant-operator --username
        NAME`,
    });
  if (viewer.token && GRANTED.token[viewer.plan].includes(permission))
    return new AppError(
      'UNAUTHORIZED',
      t`The token "${viewer.token.name}" does not have the permission ${permission}.`,
      {
        suggestedFix: t`Create a token with ${permission} among its permissions, in Developer Settings or with
          createToken; the permissions of a token cannot be changed.`,
      },
    );
  if (permission === 'token:manage' && viewer.credential !== 'session' && viewer.credential !== 'key')
    return new AppError('UNAUTHORIZED', CANNOT_MANAGE_TOKENS[viewer.credential], {
      suggestedFix: t`Do this with the account's API key, or sign in and open Developer Settings.`,
    });
  if (viewer.credential !== 'session' && GRANTED.session[viewer.plan].includes(permission)) {
    const suggestedFix = t`Sign in on the website and do this in Developer Settings; applications cannot.`;
    return new AppError('UNAUTHORIZED', onlyOfSession(permission, viewer.credential), { suggestedFix });
  }
  const plan = PLANS[PERMISSIONS[permission].from].name;
  const suggestedFix = permissionsOf(TRIAL_PLAN, 'session').includes(permission)
    ? t`Start the ${TRIAL_DAYS}-day trial if this account has had none, or move to ${plan}; an operator of this server
        can change the plan.`
    : t`Move to ${plan}; an operator of this server can change the plan.`;
  return new AppError('UNAUTHORIZED', t`The permission ${permission} comes with the ${plan} plan.`, { suggestedFix });
}

const CANNOT_MANAGE_TOKENS = {
  token: t`A token cannot create, list or revoke tokens.`,
  oauth: t`A connected application cannot create, list or revoke tokens.`,
};

function onlyOfSession(permission: Permission, credential: 'key' | 'token' | 'oauth'): Message {
  if (credential === 'key')
    return t`The permission ${permission} belongs to the signed-in account, not to its API key.`;
  if (credential === 'token')
    return t`The permission ${permission} belongs to the signed-in account, not to its token.`;
  return t`The permission ${permission} belongs to the signed-in account, not to its connected application.`;
}

function deny(error: AppError): Decision {
  return { kind: 'deny', error };
}

function grantedTo(credential: Holder, operator = false): Readonly<Record<PlanCode, readonly Permission[]>> {
  // Every plan is a key, which Object.fromEntries cannot tell.
  return Object.fromEntries(PLAN_CODES.map((plan) => [plan, permissionsOf(plan, credential, operator)])) as Record<
    PlanCode,
    Permission[]
  >;
}
