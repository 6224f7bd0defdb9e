import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

/** Characters of a comment, as the API allows. */
const MAX_LENGTH = 5000;
/** So many before the limit, the form starts to say how many are left. */
const NEAR = 500;

interface Properties {
  readonly label: string;
  readonly send: string;
  readonly initial?: string;
  /** Sends the comment. If it throws, the error is shown and the text stays. */
  readonly onSend: (body: string) => Promise<void>;
  readonly onCancel?: () => void;
}

/** The form to write, reply to or edit a comment. Ctrl+Enter or Cmd+Enter sends it. */
export function CommentForm({ label, send, initial = '', onSend, onCancel }: Properties) {
  const [body, setBody] = useState(initial);
  const [open, setOpen] = useState(onCancel !== undefined);
  const action = useAction();
  const id = useId();
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (!body.trim() || action.busy) return;
    action.run('send', async () => {
      await onSend(body.trim());
      setBody('');
      setOpen(onCancel !== undefined);
    });
  };
  const cancel = (): void => {
    setBody('');
    setOpen(false);
    action.clear();
    onCancel?.();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
    if (event.key === 'Escape') cancel();
  };
  const isNear = body.length > MAX_LENGTH - NEAR;
  return (
    <form className="space-y-3" onSubmit={submit}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the form opens after a click on Reply or Edit
        autoFocus={onCancel !== undefined}
        dir="auto"
        value={body}
        placeholder={`${label}…`}
        maxLength={MAX_LENGTH}
        aria-describedby={isNear ? `${id}-left` : undefined}
        rows={open ? 3 : 1}
        onFocus={() => setOpen(true)}
        onChange={(event) => setBody(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        className={
          'block field-sizing-content max-h-96 min-h-11 w-full rounded-lg border ' +
          'border-line-strong bg-ink px-3 py-2.5 text-fore placeholder:text-muted'
        }
      />
      {action.error !== null && <ErrorNotice error={action.error} />}
      {open && (
        <p className="flex items-center justify-end gap-3">
          {isNear && (
            <span id={`${id}-left`} className="me-auto text-sm text-muted tabular-nums">
              {`${count(body.length)} / ${count(MAX_LENGTH)}`}
            </span>
          )}
          <Button look="quiet" onClick={cancel}>{t`Cancel`}</Button>
          <Button look="primary" type="submit" busy={action.busy !== null} disabled={!body.trim()}>
            {send}
          </Button>
        </p>
      )}
    </form>
  );
}
