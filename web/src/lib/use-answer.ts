import { useEffect, useState } from 'react';

interface Answer<Value> {
  readonly key: string;
  readonly value: Value;
}

/**
 * What `ask` answers for a key. While the answer for another key is on its way the last one stays, so that nothing jumps:
 * `fresh` tells which it is.
 */
export function useAnswer<Value>(key: string, ask: () => Promise<Value>) {
  const [answer, setAnswer] = useState<Answer<Value> | null>(null);
  const [failure, setFailure] = useState<{ readonly key: string; readonly error: unknown } | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is asked for
  useEffect(() => {
    let current = true;
    ask().then(
      (value) => {
        if (!current) return;
        setAnswer({ key, value });
        setFailure(null);
      },
      (error: unknown) => current && setFailure({ key, error }),
    );
    return () => {
      current = false;
    };
  }, [key, attempt]);
  return {
    value: answer?.value ?? null,
    fresh: answer?.key === key,
    error: failure?.key === key ? failure.error : null,
    again: () => setAttempt((made) => made + 1),
  };
}
