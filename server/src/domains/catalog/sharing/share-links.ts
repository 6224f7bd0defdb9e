import { createHash, randomBytes } from 'node:crypto';
import type { CommandContext } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS, contentKindOf } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import { readText } from '../../../kernel/text.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { hashPassword } from '../../accounts/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { instant } from '../contents/content-commands.ts';
import { CONTENT_SHARING, SHARE_LINK_CHANGE, tooManyLinks } from './sharing.policy.ts';
import { deleteSharing, insertShareLink, lockSharedContent, lockSharing } from './sharing.store.ts';

export const MAX_LINK_NAME = 100;
export const MIN_LINK_PASSWORD = 6;
export const MAX_LINK_PASSWORD = 128;
export const MOST_USES = 1_000_000;

const TOKEN_BYTES = 24;
const MAX_AHEAD_MS = 5 * 366 * 86_400_000;

export interface ShareLinkInput {
  readonly content: string;
  readonly name?: Maybe<string>;
  readonly password?: Maybe<string>;
  readonly expiresAt?: Maybe<string>;
  readonly maxUses?: Maybe<number>;
}

/** The id of the link, and its address, which is not stored. */
export interface CreatedShareLink {
  readonly shareLink: string;
  readonly url: string;
}

/**
 * Makes a link to a private content, for whoever has it and knows its password.
 * @throws AppError for the content (CONTENT_SHARING); INVALID_INPUT for a password, expiry or number of uses that is
 *   none, or a content that has reached the limit.
 */
export async function createShareLink(
  context: CommandContext,
  { input }: { readonly input: ShareLinkInput },
): Promise<CreatedShareLink> {
  const { accountId: createdBy, scope } = requireAccount(context);
  const { nowIso, nowMs } = context;
  const { db, ingestion } = context.services.catalog;
  const { id: contentId, kind } = context.parseDid(input.content, CONTENT_DID_KINDS, 'input.content');
  const target = { id: contentId, kind: contentKindOf(kind) };
  const limits = readLimits(input, nowMs);
  const name = readText(input.name ?? '', { field: 'input.name', maxLength: MAX_LINK_NAME });
  const password = readPassword(input.password);
  // Hashing takes a tenth of a second: only for whom it is permitted, and not while the content is locked.
  authorize(CONTENT_SHARING, await lockSharedContent(db, target, scope), 'input.content');
  const passwordHash = password === null ? null : await hashPassword(password);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return db.transaction(async (tx) => {
    const content = await lockSharedContent(tx, target, scope);
    authorize(CONTENT_SHARING, content, 'input.content');
    const id = newId<'shareLink'>(nowMs);
    const { channelId } = content;
    const tokenHash = createHash('sha256').update(token).digest();
    const link = { name, tokenHash, passwordHash, ...limits };
    if (!(await insertShareLink(tx, { id, contentId, channelId, createdBy, nowIso }, link)))
      throw tooManyLinks('input.content');
    await appendEvent(tx, {
      type: 'content.link_created',
      channelId,
      subjectId: contentId,
      payload: { shareLinkId: id },
    });
    return { shareLink: id, url: `${ingestion.baseUrl}/share/${token}` };
  });
}

/**
 * Deletes a link: it no longer opens, and who watches with it is stopped. Returns its DID and the id of the content.
 * @throws AppError RESOURCE_NOT_FOUND or UNAUTHORIZED (SHARE_LINK_CHANGE).
 */
export function deleteShareLink(
  context: CommandContext,
  { id: did }: { readonly id: string },
): Promise<{ id: string; content: string }> {
  const { id } = context.parseDid(did, ['shareLink'], 'id');
  return context.services.catalog.db.transaction(async (tx) => {
    const link = await lockSharing(tx, 'share_links', id, context.scope);
    authorize(SHARE_LINK_CHANGE, link, 'id');
    const { channelId, contentId } = link;
    await deleteSharing(tx, 'share_links', id);
    await appendEvent(tx, {
      type: 'content.link_deleted',
      channelId,
      subjectId: contentId,
      payload: { shareLinkId: id },
    });
    return { id: context.did('shareLink', id), content: contentId };
  });
}

function readPassword(password: Maybe<string>): string | null {
  if (password == null) return null;
  if (password.length >= MIN_LINK_PASSWORD && password.length <= MAX_LINK_PASSWORD) return password;
  throw new AppError(
    'INVALID_INPUT',
    t`The password of a link has ${MIN_LINK_PASSWORD} to ${MAX_LINK_PASSWORD} characters.`,
    { field: 'input.password', suggestedFix: t`Choose another password, or omit it for a link without one.` },
  );
}

function readLimits(
  { expiresAt, maxUses }: ShareLinkInput,
  nowMs: number,
): { expiresAt: string | null; maxUses: number | null } {
  const expiresMs = instant(expiresAt);
  if (expiresMs !== null && (expiresMs <= nowMs || expiresMs > nowMs + MAX_AHEAD_MS))
    throw new AppError('INVALID_INPUT', t`A link expires in the future, within five years.`, {
      field: 'input.expiresAt',
      suggestedFix: t`Choose another time, or omit it for a link that does not expire.`,
    });
  if (maxUses != null && (maxUses < 1 || maxUses > MOST_USES))
    throw new AppError('INVALID_INPUT', t`A link can be opened 1 to ${MOST_USES} times.`, {
      field: 'input.maxUses',
      suggestedFix: t`Choose another number, or omit it for a link without a limit.`,
    });
  return { expiresAt: expiresMs === null ? null : new Date(expiresMs).toISOString(), maxUses: maxUses ?? null };
}
