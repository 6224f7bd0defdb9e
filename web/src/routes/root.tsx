import { createRootRoute, notFound, redirect } from '@tanstack/react-router';
import { ApiError } from '../lib/api.ts';
import { currentUser } from '../lib/session.ts';
import { NotFound } from './fallbacks.tsx';
import { Shell } from './shell.tsx';

/** The root route, and guards that several routes share. */
export const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** Turns RESOURCE_NOT_FOUND into the not-found page: objects that the visitor cannot see do not exist for them. */
export async function notFoundAsMissing<Result>(request: Promise<Result>): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RESOURCE_NOT_FOUND') throw notFound();
    throw error;
  }
}

/** Redirects visitors who are not signed in to the sign-in page, and back. */
export async function requireSignIn({ location }: { location: { href: string } }): Promise<void> {
  if (!(await currentUser())) throw redirect({ to: '/sign-in', search: { next: location.href } });
}
