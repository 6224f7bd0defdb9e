import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DIGITS_SHORTCUT, SHORTCUTS } from './shortcuts.ts';

interface Properties {
  readonly open: boolean;
  /** Whether there is a theatre mode to switch to. */
  readonly theatre: boolean;
  readonly onClose: () => void;
}

/** The list of shortcuts, from the table that the handler uses. */
export function ShortcutHelp({ open, theatre, onClose }: Properties) {
  const shown = SHORTCUTS.filter(({ command }) => theatre || command.do !== 'theatre');
  return (
    <Dialog open={open} title={t`Keyboard shortcuts`} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
        {[...shown, DIGITS_SHORTCUT].map(({ shown: keys, label }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-md border border-line-strong bg-raised px-2 py-0.5 font-mono text-xs">{keys}</kbd>
            </dt>
            <dd className="text-muted">{label}</dd>
          </div>
        ))}
      </dl>
      <Button onClick={onClose}>{t`Close`}</Button>
    </Dialog>
  );
}
