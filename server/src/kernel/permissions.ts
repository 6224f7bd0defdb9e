import { t } from './languages/message.ts';
import { PLAN_CODES, type PlanCode } from './plans.ts';

/** Roles in a channel, lowest first: each role includes the permissions of the ones before it. */
export const CHANNEL_ROLES = ['VIEWER', 'EDITOR', 'MANAGER', 'OWNER'] as const;
export type ChannelRole = (typeof CHANNEL_ROLES)[number];

interface Grant {
  /** The lowest plan that grants it. */
  readonly from: PlanCode;
  /** The lowest role in the channel that grants it; null for permissions outside a channel. */
  readonly role: ChannelRole | null;
  /** Whether only operators of the server have it, on any plan. */
  readonly operator?: true;
  readonly allows: string;
}

/**
 * Every permission: `<resource>:<action>`, the lowest plan that grants it, the required role in a channel, whether it
 * is for operators only, and its description. A running trial has the permissions of the plan on trial. Spec:
 * "permissions: entries have the form <resource>:<action>".
 */
export const PERMISSIONS = {
  'account:read': { from: 'FREE', role: null, allows: t`Read your account, subscription, uploads, history and limits` },
  'account:update': { from: 'FREE', role: null, allows: t`Change your profile and settings` },
  'api_key:manage': {
    from: 'FREE',
    role: null,
    allows: t`Generate, reveal and regenerate the API key (signed in, never by key)`,
  },
  'token:manage': {
    from: 'FREE',
    role: null,
    allows: t`Create, list and revoke scoped tokens (signed in or by key, never by token or application)`,
  },
  'account:archive': {
    from: 'FREE',
    role: null,
    allows: t`Request an archive of everything your account has (signed in, never by key)`,
  },
  'billing:manage': {
    from: 'FREE',
    role: null,
    allows: t`Buy a plan and manage its payments (signed in, never by key)`,
  },
  'operator:claim': {
    from: 'FREE',
    role: null,
    allows: t`Become an operator with the one-time code of the server (signed in, never by key)`,
  },
  'invitation:manage': {
    from: 'FREE',
    role: null,
    operator: true,
    allows: t`Invite people to this server and revoke invitations (operators, signed in, never by key)`,
  },
  'account:administer': {
    from: 'FREE',
    role: null,
    operator: true,
    allows: t`See accounts, suspend them and set their plans (operators, signed in, never by key)`,
  },
  'server:read': {
    from: 'FREE',
    role: null,
    operator: true,
    allows: t`See the state of this server, its jobs and its storage (operators, signed in, never by key)`,
  },
  'job:administer': {
    from: 'FREE',
    role: null,
    operator: true,
    allows: t`Retry and cancel jobs of all channels (operators, signed in, never by key)`,
  },
  'server:manage': {
    from: 'FREE',
    role: null,
    operator: true,
    allows: t`Change settings of this server (operators, signed in, never by key)`,
  },
  'report:review': {
    from: 'FREE',
    role: null,
    operator: true,
    allows: t`Decide about the reports of all channels and take down what breaks the rules (operators, signed in, never
      by key)`,
  },
  'channel:read': { from: 'FREE', role: null, allows: t`Read channels` },
  'channel:create': { from: 'FREE', role: null, allows: t`Create additional channels` },
  'channel:update': { from: 'FREE', role: 'MANAGER', allows: t`Change a channel, its handle and its images` },
  'channel:delete': { from: 'FREE', role: 'OWNER', allows: t`Delete or transfer your channels` },
  'member:read': { from: 'FREE', role: 'VIEWER', allows: t`Read the members of a channel` },
  'member:manage': { from: 'FREE', role: 'MANAGER', allows: t`Invite, change and remove members of a channel` },
  'content:read': { from: 'FREE', role: null, allows: t`Read published content, and your own content in any state` },
  'content:create': { from: 'FREE', role: 'EDITOR', allows: t`Create content` },
  'content:update': { from: 'FREE', role: 'EDITOR', allows: t`Change and order content` },
  'content:publish': { from: 'FREE', role: 'EDITOR', allows: t`Publish and unpublish content` },
  'live:manage': {
    from: 'FREE',
    role: 'EDITOR',
    allows: t`Create and change live inputs, see their stream keys, and end broadcasts`,
  },
  'content:delete': { from: 'FREE', role: 'MANAGER', allows: t`Delete content and restore it from the trash` },
  'asset:upload': { from: 'FREE', role: 'EDITOR', allows: t`Upload video, images and captions` },
  'playlist:read': { from: 'FREE', role: null, allows: t`Read playlists` },
  'playlist:manage': { from: 'FREE', role: 'EDITOR', allows: t`Create, change and delete playlists and their items` },
  'comment:read': { from: 'FREE', role: null, allows: t`Read comments` },
  'comment:create': { from: 'FREE', role: null, allows: t`Comment, and edit or delete your own comments` },
  'comment:moderate': {
    from: 'FREE',
    role: 'EDITOR',
    allows: t`Hold, approve, pin, heart and remove comments, block words and accounts`,
  },
  'like:manage': { from: 'FREE', role: null, allows: t`Like and unlike` },
  'follow:manage': { from: 'FREE', role: null, allows: t`Follow and unfollow channels` },
  'report:create': { from: 'FREE', role: null, allows: t`Report content, comments and channels` },
  'engagement:track': { from: 'FREE', role: null, allows: t`Report playback events` },
  'analytics:read': { from: 'FREE', role: 'VIEWER', allows: t`Read the analytics of a channel` },
  'content:enhance': {
    from: 'CREATOR_PLUS',
    role: 'EDITOR',
    allows: t`Upscale and upmix videos, and add automatic captions`,
  },
  'virality:predict': { from: 'CREATOR_PLUS', role: null, allows: t`Predict the performance of a video` },
  'event:read': { from: 'FREE', role: 'VIEWER', allows: t`Read and follow the event log of a channel` },
  'webhook:manage': {
    from: 'FREE',
    role: 'MANAGER',
    allows: t`Create, change and delete webhooks and read their deliveries`,
  },
  'data:export': { from: 'FREE', role: null, allows: t`Export what the other permissions let you read, as files` },
  'signing_key:manage': {
    from: 'FREE',
    role: 'MANAGER',
    allows: t`Create, list and delete the keys that sign playback tokens`,
  },
} as const satisfies Record<string, Grant>;

export type Permission = keyof typeof PERMISSIONS;
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[]; // see PLAN_CODES

/** What a root field or route requires: a permission, a valid credential with any permissions, or nothing. */
export type Access = Permission | 'authenticated' | 'public';

/** Whether the access is a permission. */
export function isPermission(access: Access): access is Permission {
  return access !== 'public' && access !== 'authenticated';
}

/** Kinds of credentials: an API key, a scoped token, an application connected by OAuth, a session. */
export type Holder = 'key' | 'token' | 'oauth' | 'session';

const SESSION_ONLY: readonly Permission[] = [
  'api_key:manage',
  'account:archive',
  'billing:manage',
  'operator:claim',
  'invitation:manage',
  'account:administer',
  'server:read',
  'job:administer',
  'server:manage',
  'report:review',
];
/** Permissions that a kind of credential never has. */
const WITHHELD: Readonly<Record<Holder, readonly Permission[]>> = {
  session: [],
  key: SESSION_ONLY,
  // A credential that makes others could outlive its revocation.
  token: [...SESSION_ONLY, 'token:manage'],
  oauth: [...SESSION_ONLY, 'token:manage'],
};

/** Permissions that a token can be given. */
export const TOKEN_PERMISSIONS: readonly Permission[] = PERMISSION_NAMES.filter(
  (name) => !WITHHELD.token.includes(name),
);

/** Permissions that a test token cannot have: they are for the account itself, not for what is in a channel. */
const WITHHELD_FROM_TESTS: readonly Permission[] = [
  'account:update',
  'channel:create',
  'channel:delete',
  'member:manage',
  'data:export',
];

/** Permissions that a token in test mode can be given. */
export const TEST_TOKEN_PERMISSIONS: readonly Permission[] = TOKEN_PERMISSIONS.filter(
  (name) => !WITHHELD_FROM_TESTS.includes(name),
);

/**
 * The permissions with those to read what they change: who may change a content reads it, too. In the order of the
 * table.
 */
export function withReading(permissions: readonly Permission[]): Permission[] {
  const needed = new Set<Permission>(permissions);
  for (const name of permissions) {
    const [resource = ''] = name.split(':');
    const read = READ_WITH[resource] ?? `${resource}:read`;
    if (read in PERMISSIONS) needed.add(read as Permission); // just looked up
  }
  return PERMISSION_NAMES.filter((name) => needed.has(name));
}

/** Resources that are parts of another. */
const READ_WITH: Readonly<Record<string, Permission>> = {
  asset: 'content:read',
  virality: 'analytics:read',
};

/** Whether the permission is for operators of the server only. */
export function isForOperators(permission: Permission): boolean {
  const grant: Grant = PERMISSIONS[permission];
  return grant.operator === true;
}

/**
 * Permissions that `plan` grants to a credential of this kind, in table order; with `operator`, also those of
 * operators.
 */
export function permissionsOf(plan: PlanCode, credential: Holder, operator = false): Permission[] {
  const rank = PLAN_CODES.indexOf(plan);
  return PERMISSION_NAMES.filter(
    (name) =>
      PLAN_CODES.indexOf(PERMISSIONS[name].from) <= rank &&
      !WITHHELD[credential].includes(name) &&
      (operator || !isForOperators(name)),
  );
}
