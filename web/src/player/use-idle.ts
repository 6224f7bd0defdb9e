import { useCallback, useEffect, useRef, useState } from 'react';

const IDLE_MS = 2600;

/** Hides the controls during playback without pointer movement, unless a menu is open. */
export function useIdle(playing: boolean) {
  const [active, setActive] = useState(true);
  const [held, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wake = useCallback(() => {
    setActive(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setActive(false), IDLE_MS);
  }, []);
  useEffect(() => {
    wake();
    return () => clearTimeout(timer.current);
  }, [wake]);
  return { hidden: playing && !active && !held, wake, hold: setHeld };
}
