import { type RefObject, useEffect, useRef, useState } from 'react';

interface Unsaved {
  readonly ref: RefObject<HTMLFormElement | null>;
  /** Whether the form differs from what was loaded or saved last. */
  readonly isDirty: boolean;
  /** For the changes of the form. */
  readonly check: () => void;
  /** After it was saved as it is. */
  readonly keep: () => void;
  /** Back to what was loaded or saved last. */
  readonly discard: () => void;
}

/** Whether a form has edits that are not saved. */
export function useUnsaved(): Unsaved {
  const ref = useRef<HTMLFormElement>(null);
  const saved = useRef('');
  const [isDirty, setDirty] = useState(false);
  useEffect(() => {
    saved.current = textOfForm(ref.current);
  }, []);
  const check = (): void => setDirty(textOfForm(ref.current) !== saved.current);
  const keep = (): void => {
    saved.current = textOfForm(ref.current);
    setDirty(false);
  };
  const discard = (): void => {
    ref.current?.reset();
    check();
  };
  return { ref, isDirty, check, keep, discard };
}

function textOfForm(form: HTMLFormElement | null): string {
  return form ? JSON.stringify([...new FormData(form)]) : '';
}
