import { useNavigate, useRouterState } from '@tanstack/react-router';
import { currentUser } from './session.ts';

/** For actions that need an account: runs one for signed-in visitors and leads all others to sign in, and back to this page. */
export function useSignedIn(): (action: () => void) => void {
  const navigate = useNavigate();
  const next = useRouterState({ select: (state) => state.location.href });
  const run = async (action: () => void): Promise<void> => {
    if (await currentUser().catch(() => null)) action();
    else await navigate({ to: '/sign-in', search: { next } });
  };
  return (action) => void run(action);
}
