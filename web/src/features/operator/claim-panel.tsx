import { useRouter } from '@tanstack/react-router';
import { ClaimOperator } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { sessionChanged } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

/** The form to become an operator with the one-time code of the server. */
export function ClaimPanel({ username }: { readonly username: string }) {
  const router = useRouter();
  const form = useForm(async (data) => {
    await api(ClaimOperator, { code: textOf(data, 'code') });
    await sessionChanged();
    await router.navigate({ to: '/admin' });
  });
  return (
    <Panel
      title={t`Become an operator`}
      hint={t`Operators can invite people to this server. If you run it, enter its one-time code to make @${username}
        an operator. The server prints the code when it starts in a terminal, and otherwise writes it to
        DATA_DIR/operator-code. If the code has expired, restart the server or run grant-operator.`}
    >
      <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <TextField
          label={t`One-time code`}
          name="code"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="rgo_…"
          hint={t`Can be used once, within a day.`}
          error={form.fieldError('code')}
        />
        <Button look="primary" type="submit" busy={form.busy}>{t`Become an operator`}</Button>
      </form>
    </Panel>
  );
}
