import type { CommandContext } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS, contentKindOf } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { checkEmail } from '../../accounts/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { CONTENT_SHARING, SHARE_CHANGE, tooManyShares } from './sharing.policy.ts';
import {
  accountNamed,
  deleteSharing,
  findShare,
  insertShare,
  lockSharedContent,
  lockSharing,
  type SharePerson,
} from './sharing.store.ts';

export interface ShareInput {
  readonly username?: Maybe<string>;
  readonly email?: Maybe<string>;
}

/**
 * Lets a person watch a private content: an account by its name, or whoever confirms an address, for which the answer
 * is the same with and without an account. Idempotent. Returns the ids of the share and the content.
 * @throws AppError for the content (CONTENT_SHARING); INVALID_INPUT for both or neither of username and email, an
 *   address that is none, or a content that has reached the limit; RESOURCE_NOT_FOUND for an unknown username.
 */
export function shareContent(
  context: CommandContext,
  { id: did, input }: { readonly id: string; readonly input: ShareInput },
): Promise<{ share: string; content: string }> {
  const { accountId: createdBy, scope } = requireAccount(context);
  const { nowIso, nowMs } = context;
  const { id: contentId, kind } = context.parseDid(did, CONTENT_DID_KINDS, 'id');
  const person = personOf(input);
  return context.services.catalog.db.transaction(async (tx) => {
    const content = await lockSharedContent(tx, { id: contentId, kind: contentKindOf(kind) }, scope);
    authorize(CONTENT_SHARING, content, 'id');
    const to = await knownPerson(tx, person);
    const known = await findShare(tx, contentId, to);
    if (known !== null) return { share: known, content: contentId };
    const id = newId<'contentShare'>(nowMs);
    const { channelId } = content;
    if (!(await insertShare(tx, { id, contentId, channelId, createdBy, nowIso }, to))) throw tooManyShares('id');
    await appendEvent(tx, { type: 'content.shared', channelId, subjectId: contentId, payload: { contentShareId: id } });
    return { share: id, content: contentId };
  });
}

/**
 * Ends a share: the person can no longer watch. Returns the DID of the share and the id of the content.
 * @throws AppError RESOURCE_NOT_FOUND or UNAUTHORIZED (SHARE_CHANGE).
 */
export function unshareContent(
  context: CommandContext,
  { id: did }: { readonly id: string },
): Promise<{ id: string; content: string }> {
  const { id } = context.parseDid(did, ['contentShare'], 'id');
  return context.services.catalog.db.transaction(async (tx) => {
    const share = await lockSharing(tx, 'content_shares', id, context.scope);
    authorize(SHARE_CHANGE, share, 'id');
    const { channelId, contentId } = share;
    await deleteSharing(tx, 'content_shares', id);
    await appendEvent(tx, {
      type: 'content.unshared',
      channelId,
      subjectId: contentId,
      payload: { contentShareId: id },
    });
    return { id: context.did('contentShare', id), content: contentId };
  });
}

/** Whom the input names. */
type Named = { readonly username: string } | { readonly email: string };

function personOf({ username, email }: ShareInput): Named {
  if (username != null && email != null) throw eitherOne('input.email');
  if (email != null) return { email: checkEmail(email.trim(), 'input.email') };
  if (username == null) throw eitherOne('input.username');
  return { username: username.trim().replace(/^@/, '') };
}

async function knownPerson(tx: Transaction, person: Named): Promise<SharePerson> {
  if ('email' in person) return { accountId: null, email: person.email };
  const accountId = await accountNamed(tx, person.username);
  if (accountId !== null) return { accountId, email: null };
  throw new AppError('RESOURCE_NOT_FOUND', t`There is no account with this username.`, {
    field: 'input.username',
    suggestedFix: t`Check the spelling, or name the person by email address.`,
  });
}

function eitherOne(field: string): AppError {
  return new AppError('INVALID_INPUT', t`A person is named by either a username or an email address.`, {
    field,
    suggestedFix: t`Send input.username or input.email.`,
  });
}
