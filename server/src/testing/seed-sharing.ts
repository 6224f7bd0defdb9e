import { createHash } from 'node:crypto';
import type { Person, TestCatalog } from '../domains/catalog/testing.ts';
import { uuidOf } from '../domains/catalog/testing.ts';
import { formatDid } from '../gql/index.ts';
import { newId } from '../kernel/ids.ts';

/** A private content of the owner's channel that is shared with an address; returns the id of the share. */
export async function addContentShare({ content, rows, platform }: TestCatalog, owner: Person): Promise<string> {
  const shared = await content(owner, { status: 'PUBLISHED', visibility: 'PRIVATE' });
  const id = newId();
  await rows(
    'insert into content_shares (id, content_id, channel_id, email, created_by, created_at) ' +
      `values ($1, $2, $3, 'viewer@example.com', $4, now())`,
    [id, uuidOf(shared), owner.channelId, owner.accountId],
  );
  return formatDid(platform.config.DID_NAMESPACE, 'contentShare', id);
}

/** A link to a private content of the owner's channel. */
export async function addShareLink({ content, rows, platform }: TestCatalog, owner: Person): Promise<string> {
  const shared = await content(owner, { status: 'PUBLISHED', visibility: 'PRIVATE' });
  const id = newId();
  await rows(
    'insert into share_links (id, content_id, channel_id, name, token_hash, max_uses, created_by, created_at) ' +
      `values ($1, $2, $3, 'Reviewers', $4, 10, $5, now())`,
    [id, uuidOf(shared), owner.channelId, createHash('sha256').update(id).digest(), owner.accountId],
  );
  return formatDid(platform.config.DID_NAMESPACE, 'shareLink', id);
}
