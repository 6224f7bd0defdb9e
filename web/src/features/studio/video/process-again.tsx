import { useState } from 'react';
import { ProcessAgain } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';

interface Properties {
  readonly contentId: string;
  /** While another file is uploaded. */
  readonly isReplaced: boolean;
  readonly isProcessed: boolean;
  readonly onChange: () => void;
}

/** Processes the file of a video again, after confirmation. */
export function ProcessAgainButton({ contentId, isReplaced, isProcessed, onChange }: Properties) {
  const [confirming, setConfirming] = useState(false);
  const start = async (): Promise<void> => {
    await api(ProcessAgain, { id: contentId });
    onChange();
  };
  return (
    <>
      <Button look="quiet" busy={isReplaced || isProcessed} onClick={() => setConfirming(true)}>
        {isProcessed ? t`Processing…` : t`Process again…`}
      </Button>
      <Confirm
        open={confirming}
        title={t`Process this video again?`}
        confirmLabel={t`Process again`}
        look="primary"
        onConfirm={start}
        onClose={() => setConfirming(false)}
      >
        <p>{t`All qualities are encoded again from the uploaded file. Viewers can watch the current version until that
          is complete. If it fails, nothing changes.`}</p>
      </Confirm>
    </>
  );
}
