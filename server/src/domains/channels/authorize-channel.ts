import type { ViewerToken } from '../../gql/index.ts';
import { authorize } from '../../kernel/policy.ts';
import type { Executor } from '../../platform/db/database.ts';
import { CHANNEL_CHANGE } from './channel.policy.ts';
import { findChannelAuthority } from './channels.store.ts';
import type { ChannelPermission } from './members/membership.sql.ts';
import { requireTokenChannels } from './members/token-channels.ts';

/** A channel and the requesting account. */
interface ChannelRequest {
  readonly channelId: string;
  readonly accountId: string;
  /** The scoped token of the request, where the call has not checked it for this permission and channel already. */
  readonly token?: ViewerToken | undefined;
  /** Permission required in the channel. */
  readonly permission: ChannelPermission;
  /** The argument that names the channel. */
  readonly field: string;
}

/**
 * Throws RESOURCE_NOT_FOUND or UNAUTHORIZED unless the account may use the permission in the channel. For commands with
 * a transaction.
 */
export async function authorizeChannel(
  db: Executor,
  { channelId, accountId, token, permission, field }: ChannelRequest,
): Promise<void> {
  if (token) await requireTokenChannels(db, { accountId, token }, [{ kind: 'channel', id: channelId, field }]);
  authorize(CHANNEL_CHANGE, await findChannelAuthority(db, channelId, accountId, permission), field);
}
