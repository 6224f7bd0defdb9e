import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';

interface Properties {
  readonly busy: boolean;
  readonly saved: boolean;
  readonly children?: ReactNode;
}

/** The submit button of a form, and the confirmation that it was saved. */
export function SaveBar({ busy, saved, children = t`Save` }: Properties) {
  return (
    <div className="flex flex-wrap items-center gap-4">
      <Button look="primary" type="submit" busy={busy}>
        {children}
      </Button>
      <p role="status" className="text-sm text-sea">
        {saved ? t`Saved.` : ''}
      </p>
    </div>
  );
}
