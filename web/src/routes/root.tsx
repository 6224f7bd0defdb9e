import { createRootRoute, notFound, redirect } from '@tanstack/react-router';
import { ApiError } from '../lib/api.ts';
import { currentUser } from '../lib/session.ts';
import { NotFound } from './fallbacks.tsx';
import { Shell } from './shell.tsx';

/** What every address hangs on, and what several of them ask before they open. */
export const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** An object the visitor cannot see is a missing page, not a failure. Throws what the router shows as one. */
export async function notFoundAsMissing<Result>(request: Promise<Result>): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RESOURCE_NOT_FOUND') throw notFound();
    throw error;
  }
}

/** Sends visitors who are not signed in to sign in, and back. */
export async function requireSignIn({ location }: { location: { href: string } }): Promise<void> {
  if (!(await currentUser())) throw redirect({ to: '/sign-in', search: { next: location.href } });
}
