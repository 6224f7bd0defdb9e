import { useEffect, useState } from 'react';
import { useSignedIn } from '../../lib/use-signed-in.ts';

/** Whether the viewer does something, and how many do. */
export interface Toggle {
  readonly on: boolean;
  readonly count: number;
}

/**
 * A like or a follow: shown at once, then as the server answers, and as before when it refuses. `ask` makes it so and
 * answers with what is.
 */
export function useToggle(known: Toggle, ask: (on: boolean) => Promise<Toggle>) {
  const [state, setState] = useState(known);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const whenSignedIn = useSignedIn();
  useEffect(() => setState({ on: known.on, count: known.count }), [known.on, known.count]);
  const change = async (): Promise<void> => {
    const before = state;
    const on = !before.on;
    setBusy(true);
    setError(null);
    setState({ on, count: before.count + (on ? 1 : -1) });
    try {
      setState(await ask(on));
    } catch (failure) {
      setState(before);
      setError(failure);
    }
    setBusy(false);
  };
  const toggle = (): void => {
    if (!busy) whenSignedIn(() => void change());
  };
  return { ...state, error, toggle };
}
