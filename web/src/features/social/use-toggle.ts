import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSignedIn } from '../../lib/hooks/use-signed-in.ts';

/** Whether the viewer likes or follows something, and how many people do. */
export interface Toggle {
  readonly on: boolean;
  readonly count: number;
}

/**
 * A like or a follow, updated optimistically: the new state shows at once, and the previous one again if the request
 * fails.
 */
export function useToggle(current: Toggle, request: (on: boolean) => Promise<Toggle>) {
  const [confirmed, setConfirmed] = useState(current);
  useEffect(() => setConfirmed({ on: current.on, count: current.count }), [current.on, current.count]);
  const whenSignedIn = useSignedIn();
  const { mutate, isPending, variables, error } = useMutation<Toggle, unknown, boolean>({
    mutationFn: request,
    onSuccess: setConfirmed,
  });
  const shown = isPending ? withState(confirmed, variables) : confirmed;
  const toggle = (): void => {
    if (!isPending) whenSignedIn(() => mutate(!confirmed.on));
  };
  return { ...shown, error, toggle };
}

function withState({ on: was, count }: Toggle, on: boolean): Toggle {
  return { on, count: count + Number(on) - Number(was) };
}
