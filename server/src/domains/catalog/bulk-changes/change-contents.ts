import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type BatchResult, failed, namedTwice, readBatch, succeeded } from '../batches/batch.ts';
import { type RepeatedCommand, repeatedly } from '../batches/command-batch.store.ts';
import { type PublishContentArgs, publishContent, updateContent } from '../contents/content-commands.ts';
import { deleteContent } from '../trash/trash-commands.ts';
import { type BulkChanges, changingLists } from './list-changes.ts';

const PUBLISH = repeatedly('publish_contents', publishContent);
const DELETE = repeatedly('delete_contents', deleteContent);
const UPDATE = changingLists(repeatedly('update_contents', updateContent));

/** Publishes contents at once or at a date. Each is authorized and reported as by publishContent. */
export function publishContents(
  context: CommandContext,
  ids: readonly string[],
  when: Omit<PublishContentArgs, 'id'>,
): Promise<BatchResult[]> {
  return each(
    context,
    PUBLISH,
    ids.map((id) => ({ id, ...when })),
    'ids',
    (index, field) => (field === 'id' ? `ids.${index}` : `input.${field}`),
  );
}

/** Moves contents to the trash. Each is authorized and reported as by deleteContent. */
export function deleteContents(context: CommandContext, ids: readonly string[]): Promise<BatchResult[]> {
  return each(
    context,
    DELETE,
    ids.map((id) => ({ id })),
    'ids',
    (index) => `ids.${index}`,
  );
}

/**
 * Updates contents, each with its own changes, and adds to and removes from their lists. Each is authorized and
 * reported as by updateContent.
 */
export function updateContents(context: CommandContext, items: readonly BulkChanges[]): Promise<BatchResult[]> {
  const fieldOf = (index: number, field: string) => `input.items.${index}.${field.replace(/^input(?=\.)/, 'changes')}`;
  return each(context, UPDATE, items, 'input.items', fieldOf);
}

/**
 * Runs a command for each entry in one transaction: in the order of the ids, so that two batches cannot deadlock;
 * results are in the order given. Refused entries are reported and the others succeed; any other error rolls back all.
 */
function each<Args extends { readonly id: string }>(
  context: CommandContext,
  command: RepeatedCommand<Args>,
  list: readonly Args[],
  listField: string,
  fieldOf: (index: number, field: string) => string,
): Promise<BatchResult[]> {
  const entries = readBatch(list, listField).map((args, index) => ({ args, index }));
  const inOrder = entries.toSorted((a, b) =>
    a.args.id < b.args.id ? -1 : a.args.id > b.args.id ? 1 : a.index - b.index,
  );
  return context.services.catalog.db.transaction(async (tx) => {
    const results: BatchResult[] = [];
    for (const [place, { args, index }] of inOrder.entries()) {
      try {
        if (inOrder[place - 1]?.args.id === args.id) throw namedTwice('id');
        await command(tx, context.scope, args, context);
        results[index] = succeeded(args.id);
      } catch (error) {
        results[index] = failed(
          args.id,
          at(error, (field) => fieldOf(index, field)),
        );
      }
    }
    return results;
  });
}

/** The error, with its field as a path in the batch's input. */
function at(error: unknown, fieldOf: (field: string) => string): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, text, field, fix } = error;
  return new AppError(code, text, { field: fieldOf(field ?? 'id'), suggestedFix: fix, cause: error });
}
