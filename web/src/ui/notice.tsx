import type { ReactNode } from 'react';
import { ApiError } from '../lib/api.ts';
import { t } from '../lib/i18n.ts';
import { isPageSignedIn } from '../lib/session.ts';
import { ShellIcon } from './shell-icons.tsx';

/**
 * An error with its suggested fix and documentation link, which every API error has. A session that has ended while the
 * page was open is renewed in another tab, so that nothing is lost that was typed in this one.
 */
export function ErrorNotice({ error, action }: { error: unknown; action?: ReactNode }) {
  const known = error instanceof ApiError ? error : null;
  if (known?.code === 'UNAUTHENTICATED' && isPageSignedIn())
    return (
      <Alert
        title={t`You are signed out.`}
        text={t`Sign in, then try again. What you typed stays here.`}
        action={action}
      >
        <a className={LINK} href="/sign-in" target="_blank" rel="noreferrer">
          {t`Sign in in a new tab`}
        </a>
      </Alert>
    );
  return (
    <Alert
      title={known?.message ?? t`Something went wrong on this page.`}
      text={known ? known.suggestedFix : t`Reload the page. If the problem persists, contact the server operator.`}
      action={action}
    >
      {known?.documentation && (
        <a className={LINK} href={known.documentation}>
          {t`Learn more about ${known.code}`}
        </a>
      )}
    </Alert>
  );
}

const LINK = 'inline-block text-sm text-accent-text underline underline-offset-3';

interface AlertProperties {
  readonly title: string;
  readonly text: string | null;
  readonly action: ReactNode;
  readonly children: ReactNode;
}

function Alert({ title, text, action, children }: AlertProperties) {
  return (
    <div role="alert" className="flex gap-3 rounded-xl border border-danger/45 bg-surface p-4">
      <ShellIcon name="warning" className="mt-0.5 size-5 shrink-0 text-danger" />
      <div className="min-w-0 space-y-1">
        <p className="font-semibold">{title}</p>
        <p className="text-muted">{text}</p>
        {children}
        {action && <div className="pt-2">{action}</div>}
      </div>
    </div>
  );
}

/** What failed in a batch, one line per item. */
export function FailureList({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div role="alert" className="space-y-2">
      <p className="font-semibold">{t`Some items could not be changed:`}</p>
      <ul className="list-disc space-y-1 ps-5 text-sm [overflow-wrap:anywhere]">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

/** An empty state, and what to do next. */
export function Empty({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div
      className={
        'mx-auto flex max-w-md flex-col items-center gap-3 rounded-2xl ' +
        'border border-dashed border-line px-6 py-14 text-center'
      }
    >
      <h2 className="text-xl font-semibold">{title}</h2>
      <p className="text-muted">{children}</p>
      {action && <div className="pt-2">{action}</div>}
    </div>
  );
}
