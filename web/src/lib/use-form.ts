import { type FormEvent, useState } from 'react';
import { ApiError } from './api.ts';
import { useAction } from './use-action.ts';

/** The text of a field, without space around it. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/**
 * A form that is sent by script: what it is doing, whether it was saved since the last change, and which field the API
 * refused, until `clear`. `send` gets what was entered.
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
