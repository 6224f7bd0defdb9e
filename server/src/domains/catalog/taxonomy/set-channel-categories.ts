import type { CommandContext } from '../../../gql/index.ts';
import { authorizeChannel, lockChannel } from '../../channels/index.ts';
import { MAX_CATEGORIES, readFew } from './taxonomy-fields.ts';
import { checkTaxonomyTerms } from './taxonomy-terms.policy.ts';
import { assignChannelCategories, findMissingTerm } from './taxonomy-terms.store.ts';

interface Args {
  /** DIDs. */
  readonly id: string;
  readonly input: { readonly categories: readonly string[] };
}

/**
 * Replaces the categories of a channel, and returns its id.
 * @throws AppError INVALID_INPUT for the identifiers and for more than three, RESOURCE_NOT_FOUND, UNAUTHORIZED.
 */
export function setChannelCategories(context: CommandContext, { id: did, input }: Args): Promise<string> {
  const viewer = context.scope;
  const { id } = context.parseDid(did, ['channel'], 'id');
  const chosen = readFew(context, input.categories, 'category', MAX_CATEGORIES, 'input.categories');
  return context.services.catalog.db.transaction(async (tx) => {
    await lockChannel(tx, id, viewer);
    await authorizeChannel(tx, { channelId: id, viewer, permission: 'channel:update', field: 'id' });
    const refused = checkTaxonomyTerms(await findMissingTerm(tx, { categories: chosen }));
    if (refused) throw refused;
    await assignChannelCategories(tx, id, chosen, context.nowMs);
    return id;
  });
}
