import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DIGITS_SHORTCUT, SHORTCUTS } from './shortcuts.ts';

/** The list of shortcuts, from the table that the handler uses. */
export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
        {[...SHORTCUTS, DIGITS_SHORTCUT].map(({ shown, label }) => (
          <div key={shown} className="contents">
            <dt>
              <kbd className="rounded-md border border-line-strong bg-raised px-2 py-0.5 font-mono text-xs">
                {shown}
              </kbd>
            </dt>
            <dd className="text-muted">{label}</dd>
          </div>
        ))}
      </dl>
      <Button onClick={onClose}>Close</Button>
    </Dialog>
  );
}
