import type { ReactNode } from 'react';
import { useAction } from '../lib/use-action.ts';
import { Button } from './button.tsx';
import { Dialog, DialogButtons } from './dialog.tsx';
import { ErrorNotice } from './notice.tsx';

interface Properties {
  readonly open: boolean;
  readonly title: string;
  /** What the button that does it says. */
  readonly confirmLabel: string;
  readonly look?: 'danger' | 'primary';
  /** What must be typed first; nothing when left out. */
  readonly ready?: boolean;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before something is done, does it, and says why it could not. */
export function Confirm({ open, title, onClose, ...question }: Properties) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <Question {...question} onClose={onClose} />
    </Dialog>
  );
}

type QuestionProperties = Omit<Properties, 'open' | 'title'>;

function Question({ confirmLabel, look = 'danger', ready = true, onConfirm, onClose, children }: QuestionProperties) {
  const action = useAction();
  const confirm = async (): Promise<void> => {
    await onConfirm();
    onClose();
  };
  return (
    <>
      {children}
      {action.error !== null && <ErrorNotice error={action.error} />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button look={look} busy={action.busy !== null} disabled={!ready} onClick={() => action.run('confirm', confirm)}>
          {confirmLabel}
        </Button>
      </DialogButtons>
    </>
  );
}
