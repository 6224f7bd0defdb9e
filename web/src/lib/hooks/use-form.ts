import { type FormEvent, useState } from 'react';
import { ApiError } from '../api.ts';
import { useAction } from './use-action.ts';

/** The trimmed text of a form field. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** The error of the API with the label of its field in place of the path, such as input.displayName. */
function labelled(error: unknown, form: HTMLFormElement): unknown {
  const path = error instanceof ApiError ? error.field : null;
  if (!(error instanceof ApiError) || path === null) return error;
  const control = form.elements.namedItem(path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '');
  const label =
    control instanceof HTMLElement && 'labels' in control ? (control as HTMLInputElement).labels?.[0] : null;
  const name = label?.textContent?.trim();
  if (!name) return error;
  const { message, code, suggestedFix, documentation, retryable } = error;
  const extensions = {
    ...{ code, field: path, retryable, suggestedFix: (suggestedFix ?? '').replaceAll(path, name) },
    ...(documentation === null ? {} : { documentation }),
  };
  return new ApiError({ message: message.replaceAll(path, name), extensions });
}

/**
 * A form submitted by script: whether it is busy or was saved since the last change, its error, and the error of each
 * field. `send` gets the form data; false: it was not saved.
 */
export function useForm(send: (form: FormData, element: HTMLFormElement) => Promise<unknown>) {
  const action = useAction();
  const [saved, setSaved] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const element = event.currentTarget;
    action.run('send', async () => {
      const sent = await send(new FormData(element), element).catch((error: unknown) =>
        Promise.reject(labelled(error, element)),
      );
      if (sent !== false) setSaved(true);
    });
  };
  const fieldError = (field: string): string | null =>
    action.error instanceof ApiError && action.error.field?.split('.').includes(field) ? action.error.message : null;
  const { busy, error, clear } = action;
  return { onSubmit, onChange: () => setSaved(false), busy: busy !== null, error, clear, saved, fieldError };
}
