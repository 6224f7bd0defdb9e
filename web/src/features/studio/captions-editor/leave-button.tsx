import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { DiscardDialog } from '../form/edit-bar.tsx';

/** Leads back to the captions; asks before changes are lost. */
export function LeaveButton({ isDirty, onLeave }: { isDirty: boolean; onLeave: () => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look="quiet" onClick={() => (isDirty ? setAsking(true) : onLeave())}>{t`Back to captions`}</Button>
      {isAsking && <DiscardDialog onDiscard={onLeave} onKeep={() => setAsking(false)} />}
    </>
  );
}
