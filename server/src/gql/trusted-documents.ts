import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Documents that anyone may run by id. */
export type TrustedDocuments = ReadonlyMap<string, string>;

/** 72 bits: enough among documents that we write, and the web application's first script holds every id. */
const ID_LENGTH = 12;

/** The id of a document: the start of the digest of its text (SHA-256, base64url). */
export function documentIdOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, ID_LENGTH);
}

/**
 * Reads a JSON file of id to document text, as the web build writes it. Throws when an id is not the digest of its
 * text, so that a stale file fails at startup.
 */
export async function loadTrustedDocuments(path: string): Promise<TrustedDocuments> {
  const content: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new Error(`${path} is not an object of documents by id`);
  const documents = new Map<string, string>();
  for (const [id, text] of Object.entries(content)) {
    if (typeof text !== 'string' || documentIdOf(text) !== id)
      throw new Error(`${path}: ${id} is not the digest of its document`);
    documents.set(id, text);
  }
  return documents;
}
