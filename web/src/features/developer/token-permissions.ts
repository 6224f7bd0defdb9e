import type { DeveloperTokensResult } from '../../gql/generated/operations.gen.ts';
import { t, tc } from '../../lib/i18n.ts';

export type TokenPermission = DeveloperTokensResult['developerSettings']['tokenPermissions'][number];

/** The permissions of one resource. */
export interface PermissionGroup {
  readonly resource: string;
  readonly title: string;
  readonly permissions: readonly TokenPermission[];
}

/** What permissions are for, in words. */
const RESOURCES: Readonly<Record<string, string>> = {
  account: t`Account`,
  analytics: t`Analytics`,
  api_key: t`API key`,
  asset: t`Asset`,
  billing: t`Billing`,
  channel: t`Channel`,
  comment: tc('noun', 'Comment'),
  content: t`Content`,
  data: t`Data`,
  engagement: t`Engagement`,
  event: t`Event`,
  follow: tc('noun', 'Follow'),
  invitation: t`Invitation`,
  job: t`Job`,
  like: tc('noun', 'Like'),
  member: t`Member`,
  operator: t`Operator`,
  playlist: t`Playlist`,
  report: tc('noun', 'Report'),
  server: t`Server`,
  signing_key: t`Signing key`,
  token: t`Token`,
  virality: t`Virality`,
  webhook: t`Webhook`,
};

/** Permissions by resource: `signing_key:manage` is in the group `Signing key`. */
export function permissionGroups(permissions: readonly TokenPermission[]): PermissionGroup[] {
  const groups = new Map<string, TokenPermission[]>();
  for (const permission of permissions) {
    const [resource = ''] = permission.name.split(':');
    groups.set(resource, [...(groups.get(resource) ?? []), permission]);
  }
  const titled = (resource: string): string => RESOURCES[resource] ?? resource;
  return [...groups].map(([resource, some]) => ({ resource, title: titled(resource), permissions: some }));
}

/** What programs are often for, and the permissions they need. */
export const PRESETS: readonly (readonly [label: string, permissions: readonly string[]])[] = [
  [t`Upload and publish`, ['content:create', 'content:update', 'content:publish', 'asset:upload']],
  [t`Read only`, ['account:read', 'channel:read', 'content:read', 'playlist:read', 'comment:read', 'analytics:read']],
  [t`Moderate comments`, ['comment:read', 'comment:moderate']],
];
