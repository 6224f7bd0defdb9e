import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Connection } from '../../../../clients/typescript/src/index.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { noteRest, readList } from '../../lists.ts';
import { channelOption, examples, limitOption } from '../../options.ts';
import { printResults, type Result } from '../../results.ts';
import { COMMENT, commentRow, type ListedComment } from '../comment/comment-fields.ts';
import { moderationAccounts } from './moderation-accounts.ts';
import { visible } from './moderation-channel.ts';
import { moderationReports } from './moderation-reports.ts';

const HELD = `query CliHeld($id: DID!, $first: Int, $after: String) {
  channel(id: $id) { heldComments(first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ${COMMENT} content { metadata { title } } } }
  } }
}`;
const SETTINGS = 'query CliModeration($id: DID!) { channel(id: $id) { moderation { blockedWords holdLinks } } }';
/** Comments that one request reviews. */
const BATCH = 100;

type HeldComment = ListedComment & { readonly content: { readonly metadata: { readonly title: string } } | null };

const held = new Command('held')
  .description('List the comments that are held for review, oldest first')
  .addOption(channelOption)
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph moderation held', 'reelgraph moderation held --channel @studio --json'))
  .action(async ({ channel, limit }, command) => {
    type Data = { readonly channel: { readonly heldComments: Connection<HeldComment> | null } };
    const context = contextOf(command);
    const client = await context.client();
    const id = await context.channelIdOrOwn(client, channel);
    const found = await readList(
      client.paginate<Connection<HeldComment>, Data>(HELD, { id }, (data) => visible(data.channel.heldComments), {
        limit,
        signal: context.signal,
      }),
    );
    context.result({ totalCount: found.totalCount, comments: found.nodes }, (out) =>
      out.list(found.nodes.map((comment) => commentRow(out, comment))),
    );
    noteRest(context, found, 'No comments are held for review.');
  });

const REVIEWS = [
  ['approve', 'approveComments', 'Publish comments that are held or rejected', 'approved'],
  ['reject', 'rejectComments', 'Hide comments from everyone but their authors and moderators', 'rejected'],
  ['hold', 'holdComments', 'Hold published comments for review', 'held'],
] as const;

const reviews = REVIEWS.map(([verb, operation, summary, done]) =>
  new Command(verb)
    .description(summary)
    .argument('<COMMENT...>', 'Identifiers of comments')
    .addHelpText(
      'after',
      examples(
        `reelgraph moderation ${verb} did:reelgraph:comment/0198c5a0-…`,
        `reelgraph moderation held --json | jq -r '.comments[].id' | xargs reelgraph moderation ${verb}`,
      ),
    )
    .action(async (ids, _options, command) => {
      const context = contextOf(command);
      const client = await context.client();
      const results: Result[] = [];
      for (let start = 0; start < ids.length; start += BATCH) {
        const batch = { ids: ids.slice(start, start + BATCH) };
        results.push(...(await client[operation](batch, { signal: context.signal })).results);
      }
      printResults(context, { results }, done);
    }),
);

interface Settings {
  readonly blockedWords: readonly string[];
  readonly holdLinks: boolean;
}

const settings = new Command('settings')
  .description('Show which comments of a channel are held for review, or change whether those with links are')
  .addOption(channelOption)
  .option('--hold-links', 'Hold comments with links')
  .option('--no-hold-links', 'Publish comments with links at once')
  .addHelpText('after', examples('reelgraph moderation settings', 'reelgraph moderation settings --hold-links'))
  .action(async ({ channel, holdLinks }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const id = await context.channelIdOrOwn(client, channel);
    if (holdLinks !== undefined)
      await client.updateModeration({ id, input: { holdLinks } }, { signal: context.signal });
    const moderation = await readSettings(context, id);
    context.result(moderation, (out) =>
      out.properties([
        ['comments with links', moderation.holdLinks ? 'held' : 'published'],
        ['blocked words', moderation.blockedWords.join(', ') || 'none'],
      ]),
    );
  });

const WORDS = [
  ['block-word', 'Hold comments that contain one of these words or phrases', 'blocked'],
  ['unblock-word', 'Stop holding comments that contain one of these words or phrases', 'unblocked'],
] as const;

const words = WORDS.map(([verb, summary, done]) =>
  new Command(verb)
    .description(summary)
    .argument('<WORD...>', 'Words or phrases, which match as a whole, whatever their case and accents')
    .addOption(channelOption)
    .addHelpText('after', examples(`reelgraph moderation ${verb} "free money" casino`))
    .action(async (given, { channel }, command) => {
      const context = contextOf(command);
      const client = await context.client();
      const id = await context.channelIdOrOwn(client, channel);
      const { blockedWords } = await readSettings(context, id);
      const others = blockedWords.filter((word) => !given.some((one) => fold(one) === fold(word)));
      const input = { blockedWords: verb === 'block-word' ? [...others, ...given] : others };
      await client.updateModeration({ id, input }, { signal: context.signal });
      context.done(await readSettings(context, id), done, given.join(', '));
    }),
);

/** Words are the same whatever their case. */
function fold(word: string): string {
  return word.normalize('NFC').trim().toLowerCase();
}

async function readSettings(context: CommandContext, id: string): Promise<Settings> {
  type Data = { readonly channel: { readonly moderation: Settings | null } };
  const client = await context.client();
  const data = await client.request<Data>(SETTINGS, { id }, { signal: context.signal });
  return visible(data.channel.moderation);
}

/** What moderators of a channel do. */
export const moderationCommands: readonly CommandUnknownOpts[] = [
  held,
  ...reviews,
  ...moderationReports,
  ...moderationAccounts,
  settings,
  ...words,
];
