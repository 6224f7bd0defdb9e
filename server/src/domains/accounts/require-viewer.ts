import type { Credential, Viewer } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Permission } from '../../kernel/permissions.ts';
import type { Platform } from '../../platform/platform.ts';
import { authorizeViewer } from './keys/key-access.policy.ts';
import { explainRefusal } from './suspension/suspension.ts';
import { readViewer } from './viewers.store.ts';

/**
 * The viewer behind a credential, authorized for `permission`: for endpoints other than GraphQL, such as uploads.
 * Throws UNAUTHENTICATED for no credential or one that is unknown, replaced or expired, UNAUTHORIZED where access is
 * denied, ACCOUNT_SUSPENDED.
 */
export async function requireViewer(
  platform: Pick<Platform, 'db' | 'clock' | 'config'>,
  credential: Credential,
  permission: Permission,
): Promise<Viewer> {
  const nowMs = platform.clock.now();
  const viewer = credential.kind === 'anonymous' ? null : await readViewer(platform.db, credential, nowMs);
  if (!viewer) throw (await explainRefusal(platform, credential)) ?? new AppError('UNAUTHENTICATED');
  const decision = authorizeViewer(viewer, permission, nowMs);
  if (decision.kind === 'deny') throw decision.error;
  return viewer;
}
