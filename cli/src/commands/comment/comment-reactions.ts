import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { CallOptions, Client, Comment } from '../../../../client/src/index.ts';
import { contextOf } from '../../context.ts';
import { changeEach } from '../../each.ts';
import { examples } from '../../options.ts';

type Reaction = (client: Client, id: string, options: CallOptions) => Promise<Comment>;

const REACTIONS: readonly (readonly [verb: string, summary: string, done: string, react: Reaction])[] = [
  [
    'pin',
    'Pin comments to the top of their lists',
    'pinned',
    async (client, id, options) => (await client.pinComment({ id }, options)).comment,
  ],
  [
    'unpin',
    'Unpin comments',
    'unpinned',
    async (client, id, options) => (await client.unpinComment({ id }, options)).comment,
  ],
  [
    'heart',
    'Heart comments, as the channel',
    'hearted',
    async (client, id, options) => (await client.heartComment({ id }, options)).comment,
  ],
  [
    'unheart',
    'Remove hearts',
    'unhearted',
    async (client, id, options) => (await client.unheartComment({ id }, options)).comment,
  ],
  [
    'like',
    'Like comments',
    'liked',
    async (client, id, options) => (await client.likeComment({ id }, options)).comment,
  ],
  [
    'unlike',
    'Take back likes of comments',
    'unliked',
    async (client, id, options) => (await client.unlikeComment({ id }, options)).comment,
  ],
];

/** Commands that react to comments, one after the other. */
export const commentReactions: readonly CommandUnknownOpts[] = REACTIONS.map(([verb, summary, done, react]) =>
  new Command(verb)
    .description(summary)
    .argument('<COMMENT...>', 'Identifiers of comments')
    .addHelpText('after', examples(`reelgraph comment ${verb} did:reelgraph:comment/0198c5a0-…`))
    .action(async (ids, _options, command) => {
      const context = contextOf(command);
      const client = await context.client();
      await changeEach(context, 'comments', ids, (id) => react(client, id, { signal: context.signal }), done);
    }),
);
