import { type CommandContext, type FieldsInput, readNew, textField } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize, fact, type Policy, permission } from '../../../kernel/policy.ts';
import { authorizeChannel, requireAccount, roleTooLow } from '../../channels/index.ts';
import { generateSigningKey, MAX_SIGNING_KEYS, readPublicKey, type SigningAlgorithm } from './signing-key.ts';
import { deleteSigningKeyRow, findSigningKey, insertSigningKey, type SigningKeyFacts } from './signing-keys.store.ts';

/** Fields of a signing key that its creator writes. */
export const SIGNING_KEY_FIELDS = {
  description: textField({
    column: 'description',
    label: 'Where it is used',
    maxLength: 300,
    description: 'Where it is used.',
  }),
};

/** Who may delete a signing key: for non-members of its channel it does not exist. */
export const SIGNING_KEY_CHANGE: Policy<SigningKeyFacts> = {
  missing: notThere,
  requires: [permission(fact('member'), notThere), permission(fact('may'), roleTooLow)],
};

export interface CreateSigningKeyArgs {
  readonly input: FieldsInput<typeof SIGNING_KEY_FIELDS> & {
    readonly channel?: Maybe<string>;
    readonly algorithm?: Maybe<SigningAlgorithm>;
    readonly publicKey?: Maybe<string>;
  };
}

/** The new key, and its private half unless the caller keeps it. */
interface CreatedSigningKey {
  readonly id: string;
  readonly privateKey: string | null;
}

/** Creates a signing key for a channel: a new pair, of which only the public half is stored, or a given public one. */
export async function createSigningKey(
  context: CommandContext,
  { input: { channel, ...input } }: CreateSigningKeyArgs,
): Promise<CreatedSigningKey> {
  const { db } = context.services.assets;
  const viewer = requireAccount(context);
  const channelId = channel == null ? viewer.channelId : context.parseDid(channel, ['channel'], 'input.channel').id;
  const { description } = readNew(SIGNING_KEY_FIELDS, input);
  const given = input.publicKey == null ? null : readPublicKey(input.publicKey, 'input.publicKey');
  if (given && input.algorithm != null && input.algorithm !== given.algorithm) throw otherAlgorithm(given.algorithm);
  await authorizeChannel(db, {
    channelId,
    viewer: viewer.scope,
    permission: 'signing_key:manage',
    field: 'input.channel',
  });
  const { privateKey, ...key } = given
    ? { ...given, privateKey: null }
    : await generateSigningKey(input.algorithm ?? 'EDDSA');
  const id = newId<'signing-key'>(context.nowMs);
  const { nowIso } = context;
  const created = await db.transaction((tx) => insertSigningKey(tx, { id, channelId, description, ...key, nowIso }));
  if (created) return { id, privateKey };
  throw new AppError(
    'INVALID_INPUT',
    t`This channel already has ${MAX_SIGNING_KEYS} signing keys, which is the limit.`,
    {
      field: 'input.channel',
      suggestedFix: t`Delete one that is not used; signingKeys(channel) shows when each was last used.`,
    },
  );
}

/** Deletes a signing key; the tokens that it signed stop working. */
export async function deleteSigningKey(
  context: CommandContext,
  { id: did }: { readonly id: string },
): Promise<{ id: string; channel: string }> {
  const { db } = context.services.assets;
  const { id } = context.parseDid(did, ['signingKey'], 'id');
  const key = await findSigningKey(db, id, requireAccount(context).scope);
  authorize(SIGNING_KEY_CHANGE, key, 'id');
  await deleteSigningKeyRow(db, id);
  return { id: context.did('signingKey', id), channel: key.channelId };
}

function notThere(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', undefined, {
    field,
    suggestedFix: t`Use an identifier from signingKeys(channel).`,
  });
}

function otherAlgorithm(algorithm: SigningAlgorithm): AppError {
  return new AppError('INVALID_INPUT', t`The public key is for ${algorithm}.`, {
    field: 'input.algorithm',
    suggestedFix: t`Omit the algorithm: it follows from the public key.`,
  });
}
