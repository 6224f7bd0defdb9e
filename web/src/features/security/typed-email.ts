let typed = '';

/** Keeps the address that was typed on one page of signing in for the next one. */
export const keepTypedEmail = (form: HTMLFormElement | null): void => {
  typed = form === null ? '' : String(new FormData(form).get('email') ?? '');
};

export const typedEmail = (): string => typed;
