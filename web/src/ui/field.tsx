import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

const BOX =
  'w-full rounded-lg border border-line-strong bg-ink px-3 py-2.5 ' +
  'text-fore placeholder:text-muted aria-invalid:border-danger';

interface Around {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** Validation error. */
  readonly error?: string | null;
}

type Named = { readonly id: string; readonly describedBy: string | undefined };

function Labelled({ label, hint, error, children }: Around & { children: (named: Named) => ReactNode }) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      {children({ id, describedBy: note ? `${id}-note` : undefined })}
      {note && (
        <p id={`${id}-note`} className={`text-sm ${error ? 'text-danger' : 'text-muted'}`}>
          {note}
        </p>
      )}
    </div>
  );
}

export function TextField({ label, hint, error, ...input }: Around & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Labelled label={label} hint={hint} error={error ?? null}>
      {({ id, describedBy }) => (
        <input
          dir={input.type === 'url' || input.type === 'email' ? 'ltr' : undefined}
          {...input}
          id={id}
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
          className={BOX}
        />
      )}
    </Labelled>
  );
}

interface AreaParts {
  /** Ref to the element, for code that sets its selection. */
  readonly area?: Ref<HTMLTextAreaElement>;
  /** `code` uses a monospaced font. */
  readonly look?: 'code';
}

export function TextArea({
  label,
  hint,
  error,
  area,
  look,
  ...input
}: Around & AreaParts & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Labelled label={label} hint={hint} error={error ?? null}>
      {({ id, describedBy }) => (
        <textarea
          dir={look === 'code' ? 'ltr' : 'auto'}
          {...input}
          ref={area}
          id={id}
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
          className={`${BOX} min-h-24 ${look === 'code' ? 'font-mono text-sm' : ''}`}
        />
      )}
    </Labelled>
  );
}

export function SelectField({
  label,
  hint,
  error,
  children,
  ...select
}: Around & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Labelled label={label} hint={hint} error={error ?? null}>
      {({ id, describedBy }) => (
        <select
          {...select}
          id={id}
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
          className={`${BOX} min-h-11`}
        >
          {children}
        </select>
      )}
    </Labelled>
  );
}

/** A labelled checkbox. */
export function CheckField({
  label,
  hint,
  ...input
}: Pick<Around, 'label' | 'hint'> & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <input
        {...input}
        id={id}
        type="checkbox"
        aria-describedby={hint ? `${id}-note` : undefined}
        className="mt-0.5 size-5 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-note`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
