import type { NamedObject, Viewer } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { findForeignObject, findOutsideObject } from './token-channels.store.ts';

/**
 * Throws UNAUTHORIZED when the viewer's token is limited to channels and one of the objects is public and in another
 * channel of the account. Objects of other people's channels are not affected: the account has no role there. For a
 * test token, they are: a test changes nothing that others see. What is not public does not exist for such a token:
 * commands respond as for an identifier of nothing (ADR 0137).
 */
export async function requireTokenChannels(
  db: Executor,
  { accountId, token }: Pick<Viewer, 'accountId' | 'token'>,
  objects: readonly NamedObject[],
): Promise<void> {
  if (!token?.channels || objects.length === 0) return;
  const foreign = token.isTest
    ? await findOutsideObject(db, token.channels, objects)
    : await findForeignObject(db, accountId, token.channels, objects);
  if (foreign === null) return;
  const field = objects[foreign]?.field ?? '';
  throw token.isTest ? noTestData(token.name, field) : otherChannel(token.name, field);
}

function noTestData(name: string, field: string): AppError {
  return new AppError('UNAUTHORIZED', t`The test token "${name}" cannot act on the object of the argument ${field}.`, {
    field,
    suggestedFix: t`Use an object that was made with a test token, or a token that is not in test mode.`,
  });
}

function otherChannel(name: string, field: string): AppError {
  return new AppError(
    'UNAUTHORIZED',
    t`The token "${name}" is limited to other channels than the one of the argument ${field}.`,
    {
      field,
      suggestedFix: t`Use a token for that channel: create one in Developer Settings or with createToken; the channels
        of a token cannot be changed.`,
    },
  );
}
