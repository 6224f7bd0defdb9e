import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { confirm, yesOption } from '../../confirm.ts';
import { contextOf } from '../../context.ts';
import { changeEach } from '../../each.ts';
import { count } from '../../format.ts';
import { examples } from '../../options.ts';
import { readStdin } from '../../prompt.ts';

const MODES = ['ENABLED', 'HOLD_ALL', 'MEMBERS_ONLY', 'DISABLED'] as const;
const TEXT = ['<TEXT>', 'The text, or - for standard input'] as const;

const add = new Command('add')
  .description('Write a comment on a content')
  .argument('<CONTENT>', 'Identifier of a content')
  .argument(...TEXT)
  .addHelpText(
    'after',
    examples(
      'reelgraph comment add did:reelgraph:content/feature/0198c5a0-… "Thank you for watching!"',
      'reelgraph comment add did:reelgraph:content/feature/0198c5a0-… - < text.txt',
    ),
  )
  .action(async (contentId, text, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const body = await textOf(text);
    const comment = await client.createComment({ contentId, body }, { signal: context.signal });
    context.done(comment, comment.status === 'HELD' ? 'held for review' : 'added', comment.id);
  });

const reply = new Command('reply')
  .description('Reply to a comment')
  .argument('<COMMENT>', 'Identifier of a comment')
  .argument(...TEXT)
  .addHelpText('after', examples('reelgraph comment reply did:reelgraph:comment/0198c5a0-… "In March."'))
  .action(async (parent, text, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const body = await textOf(text);
    const { contentId } = await client.comment({ id: parent }, { signal: context.signal });
    const comment = await client.createComment({ contentId, body, parent }, { signal: context.signal });
    context.done(comment, comment.status === 'HELD' ? 'held for review' : 'replied', comment.id);
  });

const edit = new Command('edit')
  .description('Change the text of a comment of yours')
  .argument('<COMMENT>', 'Identifier of a comment')
  .argument(...TEXT)
  .addHelpText('after', examples('reelgraph comment edit did:reelgraph:comment/0198c5a0-… "In April."'))
  .action(async (id, text, _options, command) => {
    const context = contextOf(command);
    const body = await textOf(text);
    const { comment } = await (await context.client()).updateComment(
      { id, input: { body } },
      { signal: context.signal },
    );
    context.done(comment, 'edited', comment.id);
  });

const remove = new Command('delete')
  .summary('Delete comments')
  .description('Delete comments of yours, or on your channel. Replies to them stay.')
  .argument('<COMMENT...>', 'Identifiers of comments')
  .addOption(yesOption)
  .addHelpText('after', examples('reelgraph comment delete did:reelgraph:comment/0198c5a0-…'))
  .action(async (ids, { yes }, command) => {
    const context = contextOf(command);
    await confirm(context, yes, `Delete ${count(ids.length, 'comment')} for good?`);
    const client = await context.client();
    await changeEach(
      context,
      'comments',
      ids,
      (id) => client.deleteComment({ id }, { signal: context.signal }),
      'deleted',
    );
  });

const mode = new Command('mode')
  .summary('Choose who may comment on a content')
  .description(
    'Choose who may comment on a content: everyone (ENABLED), everyone, held for review (HOLD_ALL), members of the ' +
      'channel (MEMBERS_ONLY), no one (DISABLED).',
  )
  .argument('<CONTENT>', 'Identifier of a content')
  .addArgument(new Argument('<MODE>', 'Who may comment').choices(MODES))
  .addHelpText('after', examples('reelgraph comment mode did:reelgraph:content/feature/0198c5a0-… HOLD_ALL'))
  .action(async (contentId, chosen, _options, command) => {
    const context = contextOf(command);
    const variables = { id: contentId, input: { mode: chosen } };
    const { content } = await (await context.client()).updateCommentSettings(variables, { signal: context.signal });
    context.done({ id: content.id, mode: chosen }, chosen, content.metadata.title);
  });

/** Standard input for `-`. */
function textOf(text: string): Promise<string> | string {
  return text === '-' ? readStdin() : text;
}

/** Commands that write comments. */
export const commentChanges: readonly CommandUnknownOpts[] = [add, reply, edit, remove, mode];
