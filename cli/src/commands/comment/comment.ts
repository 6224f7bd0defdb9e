import { Argument, Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Client, Connection, Pages } from '../../../../clients/typescript/src/index.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { moment } from '../../format.ts';
import { noteRest, readList } from '../../lists.ts';
import { examples, limitOption } from '../../options.ts';
import { commentChanges } from './comment-changes.ts';
import { COMMENT, commentRow, type ListedComment, stateOf } from './comment-fields.ts';
import { commentReactions } from './comment-reactions.ts';

const PAGE = `totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ${COMMENT} } }`;
const ON_CONTENT = `query CliComments($id: DID!, $sort: CommentSort!, $first: Int, $after: String) {
  comments(contentId: $id, sort: $sort, first: $first, after: $after) { ${PAGE} }
}`;
const MINE = `query CliOwnComments($first: Int, $after: String) {
  me { comments(first: $first, after: $after) { ${PAGE} } }
}`;
const MENTIONS = `query CliMentions($first: Int, $after: String) {
  me { commentMentions(first: $first, after: $after) { ${PAGE} } }
}`;
const ONE = `query CliComment($id: DID!) { comment(id: $id) { ${COMMENT} content { metadata { title } } } }`;
const THREAD = `query CliThread($id: DID!, $first: Int, $after: String) {
  comment(id: $id) { thread(first: $first, after: $after) { ${PAGE} } }
}`;

type Comments = Connection<ListedComment>;

const SORTS = ['NEWEST', 'TOP'] as const;

const list = new Command('list')
  .description('List the comments on a content, without replies; or your own, or those that mention you')
  .addArgument(new Argument('[CONTENT]', 'Identifier of a content'))
  .addOption(new Option('-s, --sort <ORDER>', 'The order').choices(SORTS).default('NEWEST' as const))
  .addOption(new Option('--mine', 'Comments that you wrote, also held and rejected ones').conflicts('mentions'))
  .option('--mentions', 'Comments that mention you')
  .addOption(limitOption)
  .addHelpText(
    'after',
    examples(
      'reelgraph comment list did:reelgraph:content/feature/0198c5a0-… --sort TOP',
      'reelgraph comment list --mentions',
    ),
  )
  .action(async (id, { sort, mine = false, mentions = false, limit }, command) => {
    if ((id === undefined) !== (mine || mentions))
      throw new CliError('Name either a content, or --mine or --mentions.', 'Add --help to see examples.');
    const context = contextOf(command);
    const client = await context.client();
    const page = { limit, signal: context.signal };
    type Own = { readonly me: { readonly comments?: Comments; readonly commentMentions?: Comments } };
    const pages: Pages<Comments> =
      id === undefined
        ? client.paginate<Comments, Own>(
            mine ? MINE : MENTIONS,
            {},
            ({ me }) => me.comments ?? me.commentMentions,
            page,
          )
        : client.paginate<Comments, { readonly comments: Comments }>(
            ON_CONTENT,
            { id, sort },
            ({ comments }) => comments,
            page,
          );
    const found = await readList(pages);
    context.result({ totalCount: found.totalCount, comments: found.nodes }, (out) =>
      out.list(found.nodes.map((comment) => commentRow(out, comment))),
    );
    noteRest(context, found, 'No comments.');
  });

const show = new Command('show')
  .description('Show a comment and the replies in its thread')
  .argument('<COMMENT>', 'Identifier of a comment')
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph comment show did:reelgraph:comment/0198c5a0-…'))
  .action(async (id, { limit }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const comment = await readComment(context, client, id);
    const page = { limit, signal: context.signal };
    type Data = { readonly comment: { readonly thread: Comments } };
    const thread = await readList(client.paginate<Comments, Data>(THREAD, { id }, (data) => data.comment.thread, page));
    context.result({ ...comment, thread: thread.nodes }, (out) => {
      for (const [name, value] of [
        ['on', comment.content?.metadata.title ?? comment.contentId],
        ['by', comment.author ? `@${comment.author.username}` : null],
        ['written', moment(comment.createdAt)],
        ['state', stateOf(comment)],
      ] as const)
        if (value) out.line(`${out.style('dim', name.padEnd(7))}  ${value}`);
      out.line();
      out.paragraph(comment.body);
      if (thread.nodes.length > 0) out.line();
      out.list(thread.nodes.map((reply) => commentRow(out, reply)));
    });
    if (thread.nodes.length < thread.totalCount) noteRest(context, thread, '');
  });

type ShownComment = ListedComment & { readonly content: { readonly metadata: { readonly title: string } } | null };

async function readComment(context: CommandContext, client: Client, id: string): Promise<ShownComment> {
  const { comment } = await client.request<{ comment: ShownComment }>(ONE, { id }, { signal: context.signal });
  return comment;
}

/** Comments on contents. */
export const commentCommands: readonly CommandUnknownOpts[] = [list, show, ...commentChanges, ...commentReactions];
