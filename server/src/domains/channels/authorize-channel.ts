import type { ViewerScope } from '../../gql/index.ts';
import { authorize } from '../../kernel/policy.ts';
import type { Executor } from '../../platform/db/database.ts';
import { CHANNEL_CHANGE } from './channel.policy.ts';
import { findChannelAuthority } from './channels.store.ts';
import type { ChannelPermission } from './members/membership.sql.ts';

/** A channel and who asks. */
interface ChannelRequest {
  readonly channelId: string;
  readonly viewer: ViewerScope;
  /** Permission required in the channel. */
  readonly permission: ChannelPermission;
  /** The argument that names the channel. */
  readonly field: string;
}

/**
 * Throws RESOURCE_NOT_FOUND or UNAUTHORIZED unless the viewer may use the permission in the channel. For commands with
 * a transaction.
 */
export async function authorizeChannel(
  db: Executor,
  { channelId, viewer, permission, field }: ChannelRequest,
): Promise<void> {
  authorize(CHANNEL_CHANGE, await findChannelAuthority(db, channelId, viewer, permission), field);
}
