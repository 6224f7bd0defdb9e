import { contentPagePath } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Database } from '../../../platform/db/database.ts';
import { contentOfShortCode } from './short-addresses.store.ts';

const CODE = /^[A-Za-z0-9_-]{11}$/;

/**
 * Path of the page that a short address leads to; the page itself decides who sees it. RESOURCE_NOT_FOUND for a code
 * that no content has.
 */
export async function resolveShortAddress(db: Database, code: string): Promise<string> {
  const content = CODE.test(code) ? await contentOfShortCode(db, code) : null;
  if (content) return contentPagePath(content.kind, content.id);
  throw new AppError('RESOURCE_NOT_FOUND', 'There is no video at this address, or no longer.', {
    suggestedFix: 'Check the address: capital and small letters differ.',
  });
}
