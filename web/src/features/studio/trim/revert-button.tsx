import { useState } from 'react';
import { RevertVideo } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';

/** Goes back to the original of a trimmed video, after confirmation. */
export function RevertButton({ contentId, onChange }: { contentId: string; onChange: () => void }) {
  const [confirming, setConfirming] = useState(false);
  const revert = async (): Promise<void> => {
    await api(RevertVideo, { id: contentId });
    onChange();
  };
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line p-3">
      <p className="grow">{t`This video was trimmed. Its original is kept.`}</p>
      <Button onClick={() => setConfirming(true)}>{t`Revert to original…`}</Button>
      <Confirm
        open={confirming}
        title={t`Revert to the original?`}
        confirmLabel={t`Revert`}
        look="primary"
        onConfirm={revert}
        onClose={() => setConfirming(false)}
      >
        <p>{t`Viewers watch the whole video again once it is processed. Captions and chapters are moved back.`}</p>
      </Confirm>
    </div>
  );
}
