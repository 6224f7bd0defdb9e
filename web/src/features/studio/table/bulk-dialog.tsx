import type { ReactNode } from 'react';
import type { BatchFragment } from '../../../gql/generated/operations.gen.ts';
import type { useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';

/** A dialog that changes the selected videos; it reports the result for each. */
export interface BulkDialogProperties {
  readonly ids: readonly string[];
  /** `said` is announced where all were changed. */
  readonly onResults: (results: readonly BatchFragment[], said?: string) => void;
  readonly onClose: () => void;
}

interface Properties {
  readonly title: string;
  readonly form: ReturnType<typeof useForm>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form for the selected videos. */
export function BulkDialog({ title, form, onClose, children }: Properties) {
  return (
    <Dialog open title={title} onClose={onClose}>
      <form onSubmit={form.onSubmit} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        {children}
        <DialogButtons>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button look="primary" type="submit" busy={form.busy}>{t`Apply`}</Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
