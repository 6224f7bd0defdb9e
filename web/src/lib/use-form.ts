import { type FormEvent, useState } from 'react';
import { ApiError } from './api.ts';
import { useAction } from './use-action.ts';

/** The trimmed text of a form field. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/**
 * A form submitted by script: whether it is busy or was saved since the last change, its error, and the error of each
 * field. `send` gets the form data.
 */
export function useForm(send: (form: FormData, element: HTMLFormElement) => Promise<void>) {
  const action = useAction();
  const [saved, setSaved] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const element = event.currentTarget;
    action.run('send', async () => {
      await send(new FormData(element), element);
      setSaved(true);
    });
  };
  const fieldError = (field: string): string | null =>
    action.error instanceof ApiError && action.error.field?.split('.').includes(field) ? action.error.message : null;
  const { busy, error, clear } = action;
  return { onSubmit, onChange: () => setSaved(false), busy: busy !== null, error, clear, saved, fieldError };
}
