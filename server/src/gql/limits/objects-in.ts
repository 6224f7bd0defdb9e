import { type ParsedDid, parseDid } from '../did.ts';
import type { Viewer } from '../viewer.ts';

/** An object that an argument names. */
export interface NamedObject extends ParsedDid {
  /** The argument: `input.channel`. */
  readonly field: string;
}

/** Throws UNAUTHORIZED when one of the objects is in a channel of the viewer's that its token is not for. */
export type RequireChannels = (viewer: Viewer, objects: readonly NamedObject[]) => Promise<void>;

/** All objects that the arguments of a call name by their DIDs, at any depth. */
export function objectsIn(namespace: string, args: unknown, field = ''): NamedObject[] {
  if (typeof args === 'string') {
    const parsed = parseDid(namespace, args);
    return parsed ? [{ ...parsed, field }] : [];
  }
  if (typeof args !== 'object' || args === null) return [];
  if (Array.isArray(args)) return args.flatMap((value) => objectsIn(namespace, value, field));
  return Object.entries(args).flatMap(([name, value]) =>
    objectsIn(namespace, value, field === '' ? name : `${field}.${name}`),
  );
}
