import { createHash } from 'node:crypto';
import type { Database } from '../../../platform/db/database.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import type { MediaLifetime } from './media-caching.ts';

/** A file that is generated on request. */
export interface GeneratedFile {
  readonly body: string | Buffer;
  readonly contentType: string;
  readonly lifetime: MediaLifetime;
  /** Quoted; default a digest of the body. */
  readonly etag?: string;
  /** The header of the request that it depends on. */
  readonly vary?: string;
}

/** What a file may depend on besides its address. */
export interface FileRequest {
  /** Whether it is for a media element itself, and not for a player in the page (Fetch Metadata, `Sec-Fetch-Dest`). */
  readonly isForElement: boolean;
  readonly query: URLSearchParams;
  /** Registers a callback for when the client has closed the connection; returns a function that removes it. */
  readonly whenAbandoned: (callback: () => void) => () => void;
}

/** The ETag of these bytes. */
export function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/**
 * Generates the file at an address below `media/` that is not a stored object; access was authorized before. Null for a
 * `key` of another generator or the object store. `missing` for a key of this generator without a file.
 */
export type FileGenerator = (
  tools: { readonly db: Database; readonly store: ObjectStore },
  key: string,
  request: FileRequest,
) => Promise<GeneratedFile | 'missing' | null>;

/** Tries the generators in order. */
export function firstOf(generators: readonly FileGenerator[]): FileGenerator {
  return async (tools, key, request) => {
    for (const generate of generators) {
      const file = await generate(tools, key, request);
      if (file) return file;
    }
    return null;
  };
}
