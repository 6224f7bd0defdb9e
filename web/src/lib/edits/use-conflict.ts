import { useState } from 'react';
import type { EditConflict } from './edit-fields.ts';

/** Both values of a field in words. */
export interface ShownConflict {
  readonly name: string;
  readonly label: string;
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** What is asked now. */
export interface ConflictQuestion {
  readonly conflicts: readonly ShownConflict[];
  /** The fields to take from the others; null: not to save now. */
  readonly answer: (taken: ReadonlySet<string> | null) => void;
}

/** Asks a person about fields that two people have changed: `question` is for the dialog. */
export function useConflict(wordsOf: (conflict: EditConflict) => ShownConflict) {
  const [question, setQuestion] = useState<ConflictQuestion | null>(null);
  const ask = (conflicts: readonly EditConflict[]): Promise<ReadonlySet<string> | null> =>
    new Promise((resolve) => {
      setQuestion({
        conflicts: conflicts.map(wordsOf),
        answer: (taken) => {
          setQuestion(null);
          resolve(taken);
        },
      });
    });
  return { question, ask };
}
