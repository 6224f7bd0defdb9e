import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { isUuid } from '../../kernel/ids.ts';
import { MAIL_ENDING } from './folder-transport.ts';

/** A message in the mail folder. */
export interface StoredMail {
  /** The id it was delivered with, a UUIDv7. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly sentAt: string;
  readonly text: string;
}

/** The ids of the messages in the folder, newest first; none where there is no folder. */
export async function listMailFolder(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const ids = names
    .filter((name) => name.endsWith(MAIL_ENDING))
    .map((name) => name.slice(0, -MAIL_ENDING.length))
    .filter((id) => isUuid(id));
  return ids.sort().reverse();
}

/** Messages by their ids, without those that were deleted meanwhile. */
export async function readMailFolder(folder: string, ids: readonly string[]): Promise<StoredMail[]> {
  const read = await Promise.all(ids.map((id) => readStored(folder, id)));
  return read.filter((mail) => mail !== null);
}

/** Null for one that was deleted meanwhile. */
async function readStored(folder: string, id: string): Promise<StoredMail | null> {
  const bytes = await readFile(join(folder, `${id}${MAIL_ENDING}`)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!bytes) return null;
  const { to, subject = '', date, text = '' } = await PostalMime.parse(bytes);
  return { id, to: to?.[0]?.address ?? '', subject, sentAt: new Date(date ?? 0).toISOString(), text };
}
