import type { ErrorPort } from '../ports.ts';
import type { KeysPlan, ResolvePlan } from '../schema/declarations.ts';
import { DEFAULT_PAGE_SIZE } from '../schema/fields.ts';
import { CursorCodec } from '../statements/cursor.ts';
import { readCursor, readPage } from './page.ts';

type Values = Readonly<Record<string, unknown>>;

/** A resolver of pages of a list of keys. */
export function pagesOfKeys({ list, keys, read, cost, timeoutMs }: KeysPlan, errors: ErrorPort): ResolvePlan {
  const codec = new CursorCodec(list, 1);
  return {
    kind: 'resolve',
    ...{ cost, timeoutMs },
    check: (args: Values) => void windowOf(args, codec, errors),
    resolve: async (context, args: Values) => {
      const all = await keys(context);
      const asked = askedOf(all, windowOf(args, codec, errors));
      const found = await read(context, asked);
      const edges = asked.flatMap((key) => {
        const node = found.get(key);
        return node ? [{ cursor: codec.encode([key]), node }] : [];
      });
      const pageInfo = {
        hasNextPage: asked.length > 0 && asked.at(-1) !== all.at(-1),
        hasPreviousPage: asked.length > 0 && asked[0] !== all[0],
        startCursor: edges[0]?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      };
      return { edges, pageInfo, totalCount: all.length };
    },
  };
}

/** The part of a list that is asked for: after and before these keys, from the start or from the end. */
interface Window {
  readonly size: number;
  readonly forward: boolean;
  readonly after: string | undefined;
  readonly before: string | undefined;
}

/** Reads first, after, last and before. Throws the application's error for values that no list takes. */
function windowOf(args: Values, codec: CursorCodec, errors: ErrorPort): Window {
  const shape = { literal: (name: string) => args[name], given: (name: string) => args[name] != null };
  const { size, forward } = readPage(shape, DEFAULT_PAGE_SIZE, errors);
  const keyOf = (argument: string): string | undefined =>
    args[argument] == null ? undefined : readCursor(codec, argument, args[argument], errors)[0];
  return { size, forward, after: keyOf('after'), before: keyOf('before') };
}

/** Relay cursor connections, "Pagination algorithm". */
function askedOf(all: readonly string[], { size, forward, after, before }: Window): readonly string[] {
  const within = all.filter((key) => (after === undefined || key < after) && (before === undefined || key > before));
  return forward ? within.slice(0, size) : within.slice(-size);
}
