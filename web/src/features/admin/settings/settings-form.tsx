import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { UpdateInstance, type UpdateInstanceInput } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

interface Properties {
  readonly title: string;
  readonly hint?: ReactNode;
  /** The changes that the fields say. */
  readonly read: (data: FormData) => UpdateInstanceInput;
  /** The fields; `errorOf` tells what the server refused of each. */
  readonly children: (errorOf: (field: string) => string | null) => ReactNode;
}

/** A section of the settings of the server, which is saved by itself. */
export function SettingsForm({ title, hint, read, children }: Properties) {
  const router = useRouter();
  const form = useForm(async (data) => {
    await api(UpdateInstance, { input: read(data) });
    await router.invalidate();
  });
  return (
    <Panel title={title} hint={hint}>
      <form onSubmit={form.onSubmit} onChange={form.onChange} className="max-w-xl space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        {children(form.fieldError)}
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" look="primary" busy={form.busy}>
            {t`Save`}
          </Button>
          <p role="status" className="text-muted">
            {form.saved && t`Saved. Pages show it when they are loaded again.`}
          </p>
        </div>
      </form>
    </Panel>
  );
}
