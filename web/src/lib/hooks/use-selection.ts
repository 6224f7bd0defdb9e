import { useState } from 'react';

/** Selected entries of a list, by id. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly set: (ids: readonly string[], on: boolean) => void;
  readonly clear: () => void;
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const set = (changed: readonly string[], on: boolean): void =>
    setIds((known) => {
      const rest = [...known].filter((id) => !changed.includes(id));
      return new Set(on ? [...rest, ...changed] : rest);
    });
  return { ids, set, clear: () => setIds(new Set()) };
}
