import { t } from '../../lib/i18n.ts';
import { TextField } from '../../ui/field.tsx';

interface Properties {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly error: string | null;
}

const HINT = t`At least 8 characters. Avoid common passwords; four or more unrelated words work well.`;

/** A field in which a new password is chosen. */
export function NewPasswordField({ hint = HINT, ...field }: Properties) {
  return (
    <TextField
      {...field}
      type="password"
      autoComplete="new-password"
      required
      minLength={8}
      maxLength={128}
      hint={hint}
    />
  );
}
