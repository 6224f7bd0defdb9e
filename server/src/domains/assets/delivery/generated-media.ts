import type { Database } from '../../../platform/db/database.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';

/** A file that is made when it is asked for. */
export interface MadeFile {
  readonly text: string;
  readonly contentType: string;
  /** Whether its address always answers the same bytes. */
  readonly immutable: boolean;
}

/**
 * Makes what lies at an address below `media/` without being an object; who may have it was judged before. Null where `key` is not the
 * maker's to answer: then others are asked, and last the object store. `missing` where it is, but nothing lies there.
 */
export type MakeFile = (tools: { readonly db: Database; readonly store: ObjectStore }, key: string) => Promise<MadeFile | 'missing' | null>;

/** Asks one maker after the other. */
export function firstOf(makers: readonly MakeFile[]): MakeFile {
  return async (tools, key) => {
    for (const make of makers) {
      const made = await make(tools, key);
      if (made) return made;
    }
    return null;
  };
}
