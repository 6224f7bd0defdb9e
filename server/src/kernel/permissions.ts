import { PLAN_CODES, type PlanCode } from './plans.ts';

/**
 * Every permission, once: `<resource>:<action>` to the lowest plan that grants it and what it allows. A running
 * trial has the permissions of the plan on trial. Spec: "permissions: entries have the form <resource>:<action>".
 */
export const PERMISSIONS = {
  'account:read': { from: 'FREE', allows: 'Read the own account, subscription and limits' },
  'api_key:manage': { from: 'FREE', allows: 'Generate, reveal and regenerate the API key (signed in, never by key)' },
  'channel:read': { from: 'FREE', allows: 'Read channels' },
  'content:read': { from: 'FREE', allows: 'Read published content, and own content in any state' },
  'content:create': { from: 'FREE', allows: 'Create content in an own channel' },
  'content:update': { from: 'FREE', allows: 'Change own content' },
  'content:publish': { from: 'FREE', allows: 'Publish and unpublish own content' },
  'content:delete': { from: 'FREE', allows: 'Delete own content' },
  'asset:upload': { from: 'FREE', allows: 'Upload video and images for own content and channels' },
} as const satisfies Record<string, { from: PlanCode; allows: string }>;

export type Permission = keyof typeof PERMISSIONS;
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[]; // see PLAN_CODES

/** What a root field or route asks for: a permission, or literally that anyone may. */
export type Access = Permission | 'public';

/** Permissions that belong to the person, not to a credential that applications hold. */
const SESSION_ONLY: ReadonlySet<Permission> = new Set<Permission>(['api_key:manage']);

/** Permissions granted by `plan` to a credential of this kind, in table order. */
export function permissionsOf(plan: PlanCode, credential: 'key' | 'session'): Permission[] {
  const rank = PLAN_CODES.indexOf(plan);
  return PERMISSION_NAMES.filter(
    (name) => PLAN_CODES.indexOf(PERMISSIONS[name].from) <= rank && (credential === 'session' || !SESSION_ONLY.has(name)),
  );
}
