import { useBlocker } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx';

interface Properties {
  readonly busy: boolean;
  readonly saved: boolean;
  readonly isDirty: boolean;
  readonly onDiscard: () => void;
}

/** The bar that stays in view below an editor: whether there are unsaved edits, and what to do with them. */
export function EditBar({ busy, saved, isDirty, onDiscard }: Properties) {
  return (
    <div
      className={
        'sticky bottom-0 z-10 -mx-2 flex flex-wrap items-center gap-3 rounded-t-xl bg-surface/95 px-2 py-3 ' +
        'backdrop-blur'
      }
    >
      <Button look="primary" type="submit" busy={busy}>{t`Save`}</Button>
      {isDirty && <Button look="quiet" onClick={onDiscard} disabled={busy}>{t`Discard changes`}</Button>}
      <p role="status" className={`text-sm ${isDirty ? 'text-muted' : 'text-sea'}`}>
        {isDirty ? t`Unsaved changes` : saved ? t`Saved.` : ''}
      </p>
      <LeaveGuard isDirty={isDirty && !busy} />
    </div>
  );
}

/** Asks before edits are lost by leaving the page, or by closing the window. */
function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return <DiscardDialog onDiscard={blocker.proceed} onKeep={blocker.reset} />;
}

/** Asks whether edits may be lost. */
export function DiscardDialog({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) {
  return (
    <Dialog open title={t`Discard unsaved changes?`} onClose={onKeep}>
      <p>{t`Your changes on this page have not been saved.`}</p>
      <DialogButtons>
        <Button onClick={onDiscard}>{t`Discard`}</Button>
        <Button look="primary" onClick={onKeep}>{t`Keep editing`}</Button>
      </DialogButtons>
    </Dialog>
  );
}
