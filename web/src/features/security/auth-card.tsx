import type { ReactNode } from 'react';
import { siteName } from '../../lib/site.ts';
import { Logo } from '../../ui/logo.tsx';

/** Classes of a link in a sentence below a form. */
export const TEXT_LINK = 'font-semibold text-accent-text underline underline-offset-3';

/** The card of pages for people who are not signed in. */
export function AuthCard({ title, page, children }: { title: string; page: string; children: ReactNode }) {
  return (
    <div className="mx-auto mt-4 max-w-md space-y-6 card p-6 sm:mt-10 sm:p-8">
      <title>{`${page} · ${siteName()}`}</title>
      <div className="space-y-3">
        <Logo className="size-10" />
        <h1 className="text-2xl font-bold">{title}</h1>
      </div>
      {children}
    </div>
  );
}
