import { useState } from 'react';
import type { CreateWebhookResult, WebhookPartsFragment } from '../../gql/generated/operations.gen.ts';
import { useRestoreFocus } from '../../lib/hooks/use-restore-focus.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/notice.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookForm } from './webhook-form.tsx';

interface Properties {
  readonly channel: string;
  readonly first: readonly WebhookPartsFragment[];
}

/** The webhooks of a channel. */
export function WebhookList({ channel, first }: Properties) {
  const [webhooks, setWebhooks] = useState(first);
  const [adding, setAdding] = useState(false);
  const rows = useRowFocus<HTMLUListElement>();
  const opener = useRestoreFocus(adding);
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const added = ({ secret, ...webhook }: CreateWebhookResult['createWebhook']['webhook']): void => {
    setWebhooks((known) => [webhook, ...known]);
    setSecrets((known) => ({ ...known, [webhook.id]: secret }));
    setAdding(false);
  };
  const add = (
    <Button ref={opener} look="primary" onClick={() => setAdding(true)}>
      <Icon name="plus" className="size-4" /> {t`Add webhook`}
    </Button>
  );
  return (
    <section aria-label={t`Webhooks`} className="space-y-4">
      {adding && <WebhookForm channel={channel} onSaved={added} onCancel={() => setAdding(false)} />}
      {!adding && webhooks.length > 0 && <p>{add}</p>}
      {!adding && webhooks.length === 0 && (
        <Empty
          title={t`No webhooks yet`}
          action={add}
        >{t`Add an endpoint to receive events about videos, comments, uploads and more.`}</Empty>
      )}
      <ul {...rows} className="space-y-4 empty:hidden">
        {webhooks.map((webhook) => (
          <WebhookCard
            key={webhook.id}
            webhook={webhook}
            secret={secrets[webhook.id] ?? null}
            onChange={(changed) =>
              setWebhooks((known) => known.map((each) => (each.id === changed.id ? changed : each)))
            }
            onDelete={() => setWebhooks((known) => known.filter(({ id }) => id !== webhook.id))}
          />
        ))}
      </ul>
    </section>
  );
}
