/** What the controls of a field say: one entry for a text or a choice, and one for each ticked box. */
export type Entries = readonly string[];

/** A field of a form that edits an object. */
export interface EditField<Edited> {
  readonly label: string;
  /** What the controls show of the object. */
  readonly shown: (edited: Edited) => Entries;
  /** The value to send. */
  readonly read: (entries: Entries) => unknown;
  /** An entry in words. Default: what its control says, otherwise the entry. */
  readonly words?: (entry: string) => string;
}

/** The fields of a form, by the names of their controls, which are those of the input. */
export type EditFields<Edited> = Readonly<Record<string, EditField<Edited>>>;

/** What the controls of a form say, by field. */
export type Shown = Readonly<Record<string, Entries>>;

/** A text, trimmed. */
export function textEdit<Edited>(
  label: string,
  of: (edited: Edited) => string | null,
  read: (text: string) => unknown = (text) => text,
): EditField<Edited> {
  return { label, shown: (edited) => [of(edited) ?? ''], read: ([text = '']) => read(text.trim()) };
}

/** A text or a choice that may be empty: null then. */
export function optionalEdit<Edited>(label: string, of: (edited: Edited) => string | null): EditField<Edited> {
  return textEdit(label, of, (text) => text || null);
}

/** A box to tick. */
export function checkEdit<Edited>(label: string, of: (edited: Edited) => boolean): EditField<Edited> {
  return { label, shown: (edited) => (of(edited) ? ['on'] : []), read: (entries) => entries.length > 0 };
}

/** Boxes to tick, each with its value. */
export function choicesEdit<Edited>(label: string, of: (edited: Edited) => readonly string[]): EditField<Edited> {
  return { label, shown: of, read: (entries) => [...entries] };
}

/** What a form shows of an object. */
export function shownOf<Edited>(fields: EditFields<Edited>, edited: Edited): Shown {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.shown(edited)]));
}

/** The fields that differ. The order of boxes is that of the page. */
export function differing(a: Shown, b: Shown): string[] {
  const key = (entries: Entries = []) => JSON.stringify([...entries].sort());
  return Object.keys(a).filter((name) => key(a[name]) !== key(b[name]));
}

/** The input with the values of some fields. */
export function inputOf<Edited>(
  fields: EditFields<Edited>,
  shown: Shown,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, fields[name]?.read(shown[name] ?? [])]));
}

/** A field that both sides have changed, each to another value. */
export interface EditConflict {
  readonly name: string;
  readonly mine: Entries;
  readonly theirs: Entries;
}

/** What is to be decided by a person after somebody else has changed the object, too. */
export function conflictsOf(base: Shown, mine: Shown, theirs: Shown): EditConflict[] {
  const byThem = new Set(differing(theirs, base));
  const apart = new Set(differing(mine, theirs));
  return differing(mine, base)
    .filter((name) => byThem.has(name) && apart.has(name))
    .map((name) => ({ name, mine: mine[name] ?? [], theirs: theirs[name] ?? [] }));
}
