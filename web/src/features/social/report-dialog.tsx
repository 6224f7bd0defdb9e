import { type FormEvent, useState } from 'react';
import { CreateReport, type ReportReason } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { REPORT_REASONS } from './report-reasons.ts';

interface Properties {
  /** DID of the content, comment, message in a chat or channel; null while the dialog is closed. */
  readonly target: string | null;
  /** What is reported: "Report this video". */
  readonly title: string;
  readonly onClose: () => void;
}

/** The form to report a content, comment, message in a chat or channel. */
export function ReportDialog({ target, title, onClose }: Properties) {
  const [sent, setSent] = useState(false);
  const action = useAction();
  const close = (): void => {
    setSent(false);
    action.clear();
    onClose();
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    action.run('report', async () => {
      if (!target) return;
      const reason = form.get('reason') as ReportReason; // the values of the radio buttons below
      await api(CreateReport, { input: { target, reason, note: String(form.get('note') ?? '').trim() || null } });
      setSent(true);
    });
  };
  return (
    <Dialog open={target !== null} title={title} onClose={close}>
      {sent ? (
        <div className="space-y-4">
          <p role="status">{t`Thanks for reporting. It will be reviewed; you get a notification then.`}</p>
          <p className="text-end">
            <Button onClick={close}>{t`Close`}</Button>
          </p>
        </div>
      ) : (
        <form className="space-y-4" onSubmit={submit}>
          <fieldset className="space-y-1">
            <legend className="mb-2 text-sm font-semibold">{t`What is the issue?`}</legend>
            {Object.entries(REPORT_REASONS).map(([value, label]) => (
              <label key={value} className="flex min-h-9 items-center gap-3">
                <input type="radio" name="reason" value={value} required className="size-4.5 accent-accent" />
                {label}
              </label>
            ))}
          </fieldset>
          <TextArea label={t`Additional details (optional)`} name="note" maxLength={1000} />
          {action.error !== null && <ErrorNotice error={action.error} />}
          <p className="flex justify-end gap-3">
            <Button look="quiet" onClick={close}>{t`Cancel`}</Button>
            <Button look="primary" type="submit" busy={action.busy !== null}>{t`Send report`}</Button>
          </p>
        </form>
      )}
    </Dialog>
  );
}
