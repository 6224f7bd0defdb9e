import type { CommandContext } from '../../../gql/index.ts';
import { authorizeChannel, lockChannel, requireAccount } from '../../channels/index.ts';
import { judgeFiling } from './filing.policy.ts';
import { fileChannel, findUnfiled } from './filing.store.ts';
import { MAX_CATEGORIES, readFew } from './taxonomy-fields.ts';

interface Args {
  /** DIDs. */
  readonly channel: string;
  readonly categories: readonly string[];
}

/**
 * Files a channel under these categories only, and answers its id.
 * @throws AppError INVALID_INPUT for the identifiers and for more than three, RESOURCE_NOT_FOUND, UNAUTHORIZED.
 */
export function setChannelCategories(context: CommandContext, { channel, categories }: Args): Promise<string> {
  const { accountId } = requireAccount(context);
  const { id } = context.parseDid(channel, ['channel'], 'channel');
  const chosen = readFew(context, categories, 'category', MAX_CATEGORIES, 'categories');
  return context.services.catalog.db.transaction(async (tx) => {
    await lockChannel(tx, id, accountId);
    await authorizeChannel(tx, { channelId: id, accountId, permission: 'channel:update', field: 'channel' });
    const refused = judgeFiling(await findUnfiled(tx, { categories: chosen }), '');
    if (refused) throw refused;
    await fileChannel(tx, id, chosen, context.nowMs);
    return id;
  });
}
