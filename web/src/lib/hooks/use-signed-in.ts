import { useNavigate, useRouterState } from '@tanstack/react-router';
import { currentUser } from '../session.ts';

/**
 * For actions that need an account: runs them for signed-in visitors, and sends others to the sign-in page and back.
 */
export function useSignedIn(): (action: () => void) => void {
  const navigate = useNavigate();
  const next = useRouterState({ select: (state) => state.location.href });
  const run = async (action: () => void): Promise<void> => {
    if (await currentUser().catch(() => null)) action();
    else await navigate({ to: '/sign-in', search: { next } });
  };
  return (action) => void run(action);
}
