import { isUtf8 } from 'node:buffer';

/** Maximum depth of folders in a work folder; media tools create one level. */
export const MAX_DEPTH = 8;

/** The name of an entry of a folder as text; null where it is not UTF-8: Node could not name it again. */
export function textName(name: Buffer): string | null {
  return isUtf8(name) ? name.toString() : null;
}
