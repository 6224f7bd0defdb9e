import { ApiError } from '../api.ts';
import { t } from '../i18n.ts';
import {
  conflictsOf,
  differing,
  type EditConflict,
  type EditFields,
  inputOf,
  type Shown,
  shownOf,
} from './edit-fields.ts';

/** An object with the revision of its values. */
export interface Revised {
  readonly revision: number;
}

/** What a form was loaded with, or saved last. */
export interface Base {
  readonly revision: number;
  readonly shown: Shown;
}

/** The form to be saved, and what it needs for that. */
export interface Saving<Edited extends Revised, Input> {
  readonly fields: EditFields<Edited>;
  readonly base: Base;
  /** What the form says now. */
  readonly mine: () => Shown;
  /** Sends changed fields with the revision that they are based on. */
  readonly send: (input: Input) => Promise<unknown>;
  /** Reads the object as it is now; null: it is gone. */
  readonly load: () => Promise<Edited | null>;
  /** Asks which of two values is right: the fields to take from the others; null: not to save now. */
  readonly ask: (conflicts: readonly EditConflict[]) => Promise<ReadonlySet<string> | null>;
  /** Shows values of the object in the form. */
  readonly show: (shown: Shown) => void;
}

export const baseOf = <Edited extends Revised>(fields: EditFields<Edited>, edited: Edited): Base => ({
  revision: edited.revision,
  shown: shownOf(fields, edited),
});

/**
 * Saves what was changed in a form, and nothing else. Where somebody else has changed the object since, what only one
 * side has changed is merged, and a person decides about the rest. Returns the new base; null: it was not saved.
 */
export async function saveEdits<Edited extends Revised, Input>(saving: Saving<Edited, Input>): Promise<Base | null> {
  const { fields, send, show, mine } = saving;
  let { base } = saving;
  for (;;) {
    const sent = mine();
    const changed = differing(sent, base.shown);
    if (changed.length === 0) return base;
    try {
      // Fields are named as those of the input, and read its values.
      await send({ ...inputOf(fields, sent, changed), ifRevision: base.revision } as Input);
      return await stored(saving, base, sent);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const theirs = baseOf(fields, await present(saving));
      const conflicts = conflictsOf(base.shown, sent, theirs.shown);
      const taken = conflicts.length === 0 ? new Set<string>() : await saving.ask(conflicts);
      if (taken === null) return null;
      const kept = changed.filter((name) => !taken.has(name));
      show(Object.fromEntries(Object.entries(theirs.shown).filter(([name]) => !kept.includes(name))));
      base = theirs;
    }
  }
}

/** Shows what was stored of what was sent, such as a trimmed title, unless it has been edited since. */
async function stored<Edited extends Revised>(saving: Saving<Edited, never>, base: Base, sent: Shown): Promise<Base> {
  const edited = await saving.load().catch(() => null);
  // It is saved: without the new revision, the next save reads it.
  if (edited === null) return { ...base, shown: sent };
  const now = baseOf(saving.fields, edited);
  const later = new Set(differing(saving.mine(), sent));
  saving.show(Object.fromEntries(Object.entries(now.shown).filter(([name]) => !later.has(name))));
  return now;
}

async function present<Edited extends Revised>({ load }: Pick<Saving<Edited, never>, 'load'>): Promise<Edited> {
  const edited = await load();
  if (edited !== null) return edited;
  throw new ApiError({
    message: t`This was deleted since you opened it.`,
    extensions: { code: 'RESOURCE_NOT_FOUND', suggestedFix: t`Copy what you want to keep, then leave the page.` },
  });
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'CONFLICT';
}
