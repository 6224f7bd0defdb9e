import { useState } from 'react';

/** One action of a page at a time: its name while it runs, and what went wrong when it failed. */
export function useAction() {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = async (name: string, action: () => Promise<void>): Promise<void> => {
    setBusy(name);
    setError(null);
    try {
      await action();
    } catch (failure) {
      setError(failure ?? new Error(name));
    }
    setBusy(null);
  };
  return { busy, error, run: (name: string, action: () => Promise<void>) => void run(name, action), clear: () => setError(null) };
}
