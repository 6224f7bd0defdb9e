import { t, tc } from '../../lib/i18n.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';

/** Recovery codes, which are shown once. */
export function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const text = `${codes.join('\n')}\n`;
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`;
  return (
    <Dialog open title={t`Your recovery codes`} onClose={onClose}>
      <p>{t`Each code signs you in once without your authenticator. Keep them in a safe place: they are not shown
        again.`}</p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 font-mono" aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogButtons>
        <CopyButton text={text} label={t`Copy`} />
        <a href={file} download="reelgraph-recovery-codes.txt" className={buttonClass()}>
          {tc('verb', 'Download')}
        </a>
        <Button look="primary" onClick={onClose}>{t`I saved them`}</Button>
      </DialogButtons>
    </Dialog>
  );
}
