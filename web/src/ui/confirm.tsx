import type { ReactNode } from 'react';
import { useAction } from '../lib/hooks/use-action.ts';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { Dialog, DialogButtons } from './dialog.tsx';
import { ErrorNotice } from './notice.tsx';

interface Properties {
  readonly open: boolean;
  readonly title: string;
  /** Label of the button that confirms. */
  readonly confirmLabel: string;
  readonly look?: 'danger' | 'primary';
  /** Whether the action can be confirmed, for dialogs that ask for input first. */
  readonly ready?: boolean;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A confirmation dialog: runs the action and shows why it failed. */
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
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button
          look={look}
          busy={action.busy !== null}
          disabled={!ready}
          onClick={() => action.run('confirm', confirm)}
        >
          {confirmLabel}
        </Button>
      </DialogButtons>
    </>
  );
}
