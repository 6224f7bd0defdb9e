import { LiftTakedown, ReviewReport, type ServerReportRowFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { AccountDialog } from './account-dialogs.tsx';
import type { ReportAction } from './report-row.tsx';

interface Properties {
  readonly action: ReportAction;
  readonly report: ServerReportRowFragment;
  readonly onClose: () => void;
  /** The report as it is now. */
  readonly onChanged: (report: ServerReportRowFragment) => void;
}

/** The dialog of an operator's action about a report. */
export function ReportActionDialog({ action, report, onClose, onChanged }: Properties) {
  const { id, owner } = report;
  switch (action) {
    case 'dismiss':
      return (
        <Confirm
          open
          title={t`Dismiss report?`}
          confirmLabel={t`Dismiss`}
          look="primary"
          onConfirm={async () =>
            onChanged((await api(ReviewReport, { id, input: { decision: 'DISMISS' } })).reviewReport.report)
          }
          onClose={onClose}
        >
          <p>{t`Nothing changes for what was reported. All open reports about it are closed.`}</p>
        </Confirm>
      );
    case 'take-down':
      return (
        <Dialog open title={t`Take down`} onClose={onClose}>
          <TakeDownForm report={report} onClose={onClose} onChanged={onChanged} />
        </Dialog>
      );
    case 'lift':
      return (
        <Confirm
          open
          title={t`End takedown?`}
          confirmLabel={t`End takedown`}
          look="primary"
          onConfirm={async () => onChanged((await api(LiftTakedown, { id })).liftTakedown.report)}
          onClose={onClose}
        >
          <p>{t`It is visible again as its owner set it. The owner is notified by email.`}</p>
        </Confirm>
      );
    case 'suspend':
      return owner === null ? null : (
        <AccountDialog
          action="suspend"
          account={owner}
          onClose={onClose}
          onChanged={(account) => onChanged({ ...report, owner: account })}
        />
      );
  }
}

function TakeDownForm({ report, onClose, onChanged }: Omit<Properties, 'action'>) {
  const form = useForm(async (data) => {
    const input = { decision: 'TAKE_DOWN' as const, reason: textOf(data, 'reason') };
    onChanged((await api(ReviewReport, { id: report.id, input })).reviewReport.report);
    onClose();
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      <p>
        {report.subject === 'COMMENT'
          ? t`Others no longer see the comment, and the moderators of the channel cannot approve it.`
          : t`Only members of the channel see the content, whatever its visibility. It is not deleted.`}{' '}
        {t`All open reports about it are closed.`}
      </p>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextArea
        label={t`Reason`}
        name="reason"
        required
        maxLength={500}
        hint={t`Sent to the owner by email.`}
        error={form.fieldError('reason')}
      />
      <DialogButtons>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" look="danger" busy={form.busy}>{t`Take down`}</Button>
      </DialogButtons>
    </form>
  );
}
