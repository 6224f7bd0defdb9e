import { Lru } from '@reelgraph/sql-planner';
import type { AppError } from '../kernel/errors.ts';
import { type Access, type Holder, PERMISSION_NAMES, type Permission, permissionsOf } from '../kernel/permissions.ts';
import { DEVELOPER_PLANS, PLAN_CODES, type PlanCode, type SubscriptionState } from '../kernel/plans.ts';

/**
 * The credential of a request. `id` is the hash of a key or token as text; `token` is a scoped token, `oauth` an
 * application's access token.
 */
export type Credential =
  | { kind: 'key'; lookupHash: Buffer; id?: string }
  | { kind: 'token'; lookupHash: Buffer; id?: string }
  | { kind: 'oauth'; tokenHash: string }
  | { kind: 'session'; token: string }
  | { kind: 'anonymous' };
export type CredentialKind = Credential['kind'];

/** The account behind a credential, as read by the statement that also reads the data. */
export interface Viewer {
  readonly accountId: string;
  readonly channelId: string;
  readonly username: string;
  readonly plan: PlanCode;
  readonly state: SubscriptionState;
  /** Unix milliseconds; ±Infinity. */
  readonly accessUntilMs: number;
  /** Whether the account is an operator of the server and signed in; never true for keys and applications. */
  readonly isOperator: boolean;
  readonly credential: Holder;
  /** What the scoped token allows; for requests with one only. */
  readonly token?: ViewerToken;
  /** What it may see, for statements that are written by hand. */
  readonly scope: ViewerScope;
}

declare const SCOPE: unique symbol;

/**
 * What a viewer may see, as one parameter of a statement: the account, and the channels and permissions that its token
 * is limited to. Statements outside a request's own take this and no account, so that none looks at an object as the
 * account where the credential is limited (ADR 0137). Only {@link makeViewer} makes one.
 */
export type ViewerScope = string & { readonly [SCOPE]: true };

/** A viewer, from what the database returned for its credential. */
export function makeViewer(read: Omit<Viewer, 'scope'>): Viewer {
  return { ...read, scope: scopeOf(read.accountId, read.token) };
}

/** The scope of requests without a credential: no account, no channel, no permission. */
export const ANONYMOUS_SCOPE: ViewerScope = scopeOf(null);

function scopeOf(accountId: string | null, token?: ViewerToken): ViewerScope {
  const permissions = accountId === null ? [] : (token?.permissions ?? PERMISSION_NAMES);
  const row = { account_id: accountId, token_channels: token?.channels ?? null, token_permissions: permissions };
  return JSON.stringify(row) as ViewerScope; // the only place where one is made
}

/** SQL: the row `v` of the viewer whose scope is this parameter, as {@link ViewerSource} has it for tokens. */
export function viewerRow(parameter: string): string {
  return (
    `(select r.account_id, r.token_channels, r.token_permissions from jsonb_to_record(${parameter}::jsonb) ` +
    'as r(account_id uuid, token_channels uuid[], token_permissions text[])) v'
  );
}

/** The scope of a token. */
export interface ViewerToken {
  readonly id: string;
  readonly name: string;
  /** It has these of the account's permissions. */
  readonly permissions: readonly Permission[];
  /** The channels it is limited to; null for all of the account's. */
  readonly channels: readonly string[] | null;
  /** Whether it is for tests: its only channel is the account's test channel, and it acts on nothing else. */
  readonly isTest: boolean;
}

/**
 * SQL of the `viewer` rows by credential: `$1` is the credential's value (bytea or text), `$2` the present instant
 * (timestamptz); either may be omitted. No row means that the credential is not valid. Columns: account_id, channel_id,
 * username, plan, state, access_until, is_operator (sessions only), key_limited (whether the account has usage limits);
 * of tokens also token_id, token_name, token_permissions, token_channels (null: all) and token_is_test. `anonymous`
 * yields one row of nulls (typed).
 */
export type ViewerSource = Readonly<Record<CredentialKind, string>>;

/** Decides whether a viewer (null: anonymous) has access; provided by the accounts domain. */
export type Authorize = (
  viewer: Viewer | null,
  access: Access,
  nowMs: number,
) => { kind: 'allow' } | { kind: 'deny'; error: AppError };

/** SQL: columns of the viewer in one text, separated by spaces; null when anonymous. */
export function packedViewer(credential: CredentialKind): string {
  // The name comes last: it is the only one with spaces.
  const token =
    credential === 'token'
      ? `, u.token_id, array_to_string(u.token_permissions, ','), ` +
        `coalesce(array_to_string(u.token_channels, ','), '*'), u.token_is_test, u.token_name`
      : '';
  return (
    `case when u.account_id is not null then concat_ws(' ', u.account_id, u.channel_id, u.username, u.plan, u.state, ` +
    `(extract(epoch from u.access_until) * 1000)::float8, u.is_operator${token}) end`
  );
}

/** Viewers by their text, which stays the same from one request to the next. */
const unpacked = {
  key: new Lru<string, Viewer>(1_000),
  token: new Lru<string, Viewer>(1_000),
  oauth: new Lru<string, Viewer>(1_000),
  session: new Lru<string, Viewer>(1_000),
};

/** The inverse of {@link packedViewer}. */
export function unpackViewer(packed: unknown, credential: CredentialKind): Viewer | null {
  if (typeof packed !== 'string' || credential === 'anonymous') return null;
  let viewer = unpacked[credential].get(packed);
  if (!viewer) {
    viewer = readViewer(packed, credential);
    unpacked[credential].set(packed, viewer);
  }
  return viewer;
}

function readViewer(packed: string, credential: Viewer['credential']): Viewer {
  const [accountId, channelId, username, plan, state, accessUntil, isOperator, ...token] = packed.split(' ');
  // The database's CHECK constraints hold plan and state to these types.
  return makeViewer({
    accountId: accountId ?? '',
    channelId: channelId ?? '',
    username: username ?? '',
    plan: plan as PlanCode,
    state: state as SubscriptionState,
    accessUntilMs: Number(accessUntil),
    isOperator: isOperator === 't',
    credential,
    ...(credential === 'token' ? { token: readToken(token) } : {}),
  });
}

function readToken([id = '', permissions = '', channels = '', isTest, ...name]: readonly string[]): ViewerToken {
  return {
    id,
    name: name.join(' '),
    // Permissions are checked when a token is created; one that no longer exists is never asked for.
    permissions: permissions.split(',') as Permission[],
    channels: channels === '*' ? null : channels.split(','),
    isTest: isTest === 't',
  };
}

/** Whether the credential is for programs: it needs developer access, has usage limits and an audit log. */
export function isForPrograms(kind: CredentialKind): kind is 'key' | 'token' | 'oauth' {
  return kind === 'key' || kind === 'token' || kind === 'oauth';
}

/** SQL: whether the token of the viewer's row has the permission. */
export function tokenHas(viewer: string, permission: Permission): string {
  return `'${permission}' = any(${viewer}.token_permissions)`;
}

/**
 * The decision in SQL, for commands of one statement: a credential of this kind has `permission` on the plans in
 * `always`, and on those in `whileCurrent` while access_until is in the future. Operator permissions come with no plan.
 */
export function plansAllowing(
  permission: Permission,
  credential: CredentialKind,
): { always: PlanCode[]; whileCurrent: PlanCode[] } {
  if (credential === 'anonymous') return { always: [], whileCurrent: [] };
  const granting = PLAN_CODES.filter((plan) => permissionsOf(plan, credential).includes(permission));
  if (credential !== 'session')
    return { always: [], whileCurrent: granting.filter((plan) => DEVELOPER_PLANS.includes(plan)) };
  return granting.includes('FREE')
    ? { always: [...PLAN_CODES], whileCurrent: [] }
    : { always: [], whileCurrent: granting };
}
