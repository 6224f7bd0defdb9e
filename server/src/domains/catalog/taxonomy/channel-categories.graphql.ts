import { type ArgBuilder, countRows, type Graph } from '../../../gql/index.ts';
import { CHANNEL_CHANGE, type ChannelTypes } from '../../channels/index.ts';
import { isCategoryOfChannel } from './channel-categories.sql.ts';
import { setChannelCategories } from './set-channel-categories.ts';
import { MAX_CATEGORIES } from './taxonomy-fields.ts';
import type { TaxonomyTypes } from './taxonomy-types.graphql.ts';

/** Declares the categories of a channel, and setChannelCategories. */
export function declareChannelCategories(
  graph: Graph,
  { Channel, ChannelMetadata }: Pick<ChannelTypes, 'Channel' | 'ChannelMetadata'>,
  { Category }: TaxonomyTypes,
): void {
  graph.extend(ChannelMetadata, (f) => ({
    categories: f.connection({
      type: Category,
      description: `Names of its categories; at most ${MAX_CATEGORIES}.`,
      where: (child, s) => isCategoryOfChannel(`${child}.id`, `${s.t}.id`),
      order: { by: (child) => [`${child}.name`], direction: 'asc' },
      total: (s) => countRows('channel_categories', (row) => `${row}.channel_id = ${s.t}.id`),
    }),
  }));
  const SetChannelCategoriesInput = graph.builder.inputType('SetChannelCategoriesInput', {
    description: 'The categories of a channel.',
    fields: (t) => ({
      categories: t.field({
        type: ['DID'],
        required: true,
        description: `Ids of at most ${MAX_CATEGORIES} categories; an empty list removes all.`,
      }),
    }),
  });
  graph.mutation('setChannelCategories', {
    access: 'channel:update',
    policies: [CHANNEL_CHANGE],
    description:
      'Sets the categories of a channel and replaces earlier ones. For its managers and its owner. Idempotent.',
    payload: (f) => ({ channel: f.read({ type: Channel, description: 'The channel.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }),
      input: t.field({ type: SetChannelCategoriesInput, required: true, description: 'The categories.' }),
    }),
    command: setChannelCategories,
  });
}
