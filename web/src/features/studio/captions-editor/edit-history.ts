/** A value with what it was before, and what was undone. */
export interface EditHistory<Value> {
  readonly past: readonly Value[];
  readonly present: Value;
  readonly future: readonly Value[];
  /** What the last edit was about: edits of one kind in a row are undone together. Null: none. */
  readonly kind: string | null;
}

const MOST_STEPS = 200;

export const startHistory = <Value>(present: Value): EditHistory<Value> => ({
  ...{ past: [], present, future: [], kind: null },
});

/** An edit; one of the same `kind` as the last extends that. */
export function edit<Value>(history: EditHistory<Value>, present: Value, kind: string | null): EditHistory<Value> {
  if (present === history.present) return history;
  const extends_ = kind !== null && kind === history.kind;
  const past = extends_ ? history.past : [...history.past, history.present].slice(-MOST_STEPS);
  return { past, present, future: [], kind };
}

export function undo<Value>({ past, present, future, kind }: EditHistory<Value>): EditHistory<Value> {
  const before = past.at(-1);
  if (before === undefined) return { past, present, future, kind };
  return { past: past.slice(0, -1), present: before, future: [present, ...future], kind: null };
}

export function redo<Value>({ past, present, future, kind }: EditHistory<Value>): EditHistory<Value> {
  const [next, ...rest] = future;
  if (next === undefined) return { past, present, future, kind };
  return { past: [...past, present], present: next, future: rest, kind: null };
}
