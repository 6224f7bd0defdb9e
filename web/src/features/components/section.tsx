import { type ReactNode, useId } from 'react';

/** A part of the page of components. */
export function Section({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="space-y-5">
      <div className="space-y-1">
        <h2 id={id} className="text-xl font-semibold">
          {title}
        </h2>
        <p className="text-muted">{hint}</p>
      </div>
      {children}
    </section>
  );
}
