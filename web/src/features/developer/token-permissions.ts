import type { DeveloperTokensResult } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';

export type TokenPermission = DeveloperTokensResult['developerSettings']['tokenPermissions'][number];

/** The permissions of one resource. */
export interface PermissionGroup {
  readonly title: string;
  readonly permissions: readonly TokenPermission[];
}

/** Permissions by resource: `signing_key:manage` is in the group `Signing key`. */
export function permissionGroups(permissions: readonly TokenPermission[]): PermissionGroup[] {
  const groups = new Map<string, TokenPermission[]>();
  for (const permission of permissions) {
    const [resource = ''] = permission.name.split(':');
    const words = resource.replaceAll('_', ' ');
    const title = words.charAt(0).toUpperCase() + words.slice(1);
    groups.set(title, [...(groups.get(title) ?? []), permission]);
  }
  return [...groups].map(([title, some]) => ({ title, permissions: some }));
}

/** What programs are often for, and the permissions they need. */
export const PRESETS: readonly (readonly [label: string, permissions: readonly string[]])[] = [
  [t`Upload and publish`, ['content:create', 'content:update', 'content:publish', 'asset:upload']],
  [t`Read only`, ['account:read', 'channel:read', 'content:read', 'playlist:read', 'comment:read', 'analytics:read']],
  [t`Moderate comments`, ['comment:read', 'comment:moderate']],
];
