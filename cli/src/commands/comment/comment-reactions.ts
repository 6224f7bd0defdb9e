import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { CallOptions, Client, Comment } from '../../../../clients/typescript/src/index.ts';
import { contextOf } from '../../context.ts';
import { changeEach } from '../../each.ts';
import { examples } from '../../options.ts';

type Reaction = (client: Client, id: string, options: CallOptions) => Promise<{ readonly comment: Comment }>;

const REACTIONS: readonly (readonly [verb: string, summary: string, done: string, react: Reaction])[] = [
  [
    'pin',
    'Pin comments to the top of their lists',
    'pinned',
    (client, id, options) => client.pinComment({ id }, options),
  ],
  ['unpin', 'Unpin comments', 'unpinned', (client, id, options) => client.unpinComment({ id }, options)],
  ['heart', 'Heart comments, as the channel', 'hearted', (client, id, options) => client.heartComment({ id }, options)],
  ['unheart', 'Remove hearts', 'unhearted', (client, id, options) => client.unheartComment({ id }, options)],
  ['like', 'Like comments', 'liked', (client, id, options) => client.likeComment({ id }, options)],
  ['unlike', 'Take back likes of comments', 'unliked', (client, id, options) => client.unlikeComment({ id }, options)],
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
      const change = async (id: string) => (await react(client, id, { signal: context.signal })).comment;
      await changeEach(context, 'comments', ids, change, done);
    }),
);
