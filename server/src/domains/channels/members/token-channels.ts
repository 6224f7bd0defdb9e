import type { NamedObject, Viewer } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { findForeignObject } from './token-channels.store.ts';

/**
 * Throws UNAUTHORIZED when the viewer's token is limited to channels and one of the objects is in another channel of
 * the account. Objects of other people's channels are not affected: the account has no role there.
 */
export async function requireTokenChannels(
  db: Executor,
  { accountId, token }: Pick<Viewer, 'accountId' | 'token'>,
  objects: readonly NamedObject[],
): Promise<void> {
  if (!token?.channels || objects.length === 0) return;
  const foreign = await findForeignObject(db, accountId, token.channels, objects);
  if (foreign === null) return;
  const field = objects[foreign]?.field ?? '';
  throw new AppError(
    'UNAUTHORIZED',
    `The token "${token.name}" is limited to other channels than the one of the argument ${field}.`,
    {
      field,
      suggestedFix:
        'Use a token for that channel: create one in Developer Settings or with createToken; the channels of a token ' +
        'cannot be changed.',
    },
  );
}
