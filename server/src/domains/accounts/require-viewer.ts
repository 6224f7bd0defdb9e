import type { Credential, Viewer } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Permission } from '../../kernel/permissions.ts';
import type { Platform } from '../../platform/platform.ts';
import { judgeViewer } from './keys/key-access.policy.ts';
import { readViewer } from './viewers.store.ts';

/**
 * The viewer behind a credential, judged for `permission`: for endpoints other than GraphQL, such as uploads. Throws
 * UNAUTHENTICATED for no credential or one that is unknown, replaced or expired, UNAUTHORIZED where the judge denies.
 */
export async function requireViewer(
  platform: Pick<Platform, 'db' | 'clock'>,
  credential: Credential,
  permission: Permission,
): Promise<Viewer> {
  const nowMs = platform.clock.now();
  const viewer = credential.kind === 'anonymous' ? null : await readViewer(platform.db, credential, nowMs);
  if (!viewer) throw new AppError('UNAUTHENTICATED');
  const verdict = judgeViewer(viewer, permission, nowMs);
  if (verdict.kind === 'deny') throw verdict.error;
  return viewer;
}
