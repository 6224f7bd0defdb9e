import type { ReactNode } from 'react';

interface Properties {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}

/** A section of a page with its own heading. */
export function Panel({ title, hint, children }: Properties) {
  return (
    <section aria-label={title} className="space-y-4 card p-5 sm:p-6">
      <div className="space-y-1">
        <h2 className="text-lg font-semibold">{title}</h2>
        {hint && <p className="text-muted">{hint}</p>}
      </div>
      {children}
    </section>
  );
}
