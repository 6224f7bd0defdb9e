import { useState } from 'react';
import {
  DeleteWebhook,
  type DeliveryPartsFragment,
  TestWebhook,
  UpdateWebhook,
  type WebhookPartsFragment,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { useRestoreFocus } from '../../lib/hooks/use-restore-focus.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { DeliveryLog, deliveriesKey } from './delivery-log.tsx';
import { EventTypes } from './event-types.tsx';
import { TestResult } from './test-result.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookSecretPart } from './webhook-secret.tsx';
import { WebhookState } from './webhook-state.tsx';

interface Properties {
  readonly webhook: WebhookPartsFragment;
  /** Secret of a webhook that was just created. */
  readonly secret: string | null;
  readonly onChange: (webhook: WebhookPartsFragment) => void;
  readonly onDelete: () => void;
}

/** A webhook: state, secret, deliveries and actions. */
export function WebhookCard({ webhook, secret, onChange, onDelete }: Properties) {
  const [editing, setEditing] = useState(false);
  const opener = useRestoreFocus(editing);
  const [deleting, setDeleting] = useState(false);
  const [logOpen, setLogOpen] = useState(false);
  const [tested, setTested] = useState<DeliveryPartsFragment | null>(null);
  const action = useAction();
  const { id, url, isEnabled } = webhook;
  const toggle = async (): Promise<void> =>
    onChange((await api(UpdateWebhook, { id, input: { isEnabled: !isEnabled } })).updateWebhook.webhook);
  const test = async (): Promise<void> => {
    setTested(null);
    setTested((await api(TestWebhook, { id })).testWebhook.delivery);
    setLogOpen(true);
    await queryClient.invalidateQueries({ queryKey: deliveriesKey(id) });
  };
  if (editing) {
    const saved = (changed: WebhookPartsFragment): void => {
      onChange(changed);
      setEditing(false);
    };
    return (
      <li>
        <WebhookForm webhook={webhook} onSaved={saved} onCancel={() => setEditing(false)} />
      </li>
    );
  }
  return (
    <li aria-label={url} className="space-y-4 card p-5 sm:p-6">
      <Header webhook={webhook} />
      <EventTypes webhook={webhook} />
      <WebhookSecretPart webhook={webhook} fresh={secret} onChange={onChange} />
      <div className="flex flex-wrap gap-2">
        <Button
          busy={action.busy === 'test'}
          disabled={!isEnabled}
          onClick={() => action.run('test', test)}
        >{t`Send test event`}</Button>
        <Button busy={action.busy === 'toggle'} onClick={() => action.run('toggle', toggle)}>
          {isEnabled ? t`Disable` : t`Enable`}
        </Button>
        <Button ref={opener} onClick={() => setEditing(true)}>{t`Edit`}</Button>
        <Button look="quiet" aria-label={t`Delete ${url}`} onClick={() => setDeleting(true)}>
          <Icon name="trash" className="size-4" /> {t`Delete`}
        </Button>
      </div>
      <TestResult delivery={tested} />
      {action.error !== null && <ErrorNotice error={action.error} />}
      <details open={logOpen} onToggle={(event) => setLogOpen(event.currentTarget.open)}>
        <summary className="w-fit rounded-lg font-medium">{t`Deliveries`}</summary>
        {logOpen && <DeliveryLog webhook={id} />}
      </details>
      <DeleteDialog webhook={webhook} open={deleting} onDelete={onDelete} onClose={() => setDeleting(false)} />
    </li>
  );
}

function Header({ webhook }: { webhook: WebhookPartsFragment }) {
  return (
    <div className="space-y-1">
      <h2 className="font-mono font-semibold break-all">
        <Code as="bdi">{webhook.url}</Code>
      </h2>
      {webhook.description && (
        <p dir="auto" className="[overflow-wrap:anywhere]">
          {webhook.description}
        </p>
      )}
      <WebhookState webhook={webhook} />
    </div>
  );
}

interface DeleteProperties {
  readonly webhook: WebhookPartsFragment;
  readonly open: boolean;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** Asks before the webhook is deleted. */
function DeleteDialog({ webhook: { id, url }, open, onDelete, onClose }: DeleteProperties) {
  const remove = async (): Promise<void> => {
    await api(DeleteWebhook, { id });
    onDelete();
  };
  return (
    <Confirm open={open} title={t`Delete webhook?`} confirmLabel={t`Delete`} onConfirm={remove} onClose={onClose}>
      <p>
        <Trans>
          <strong className="break-all">{url}</strong> will no longer receive events, and its delivery log is deleted.
        </Trans>
      </p>
    </Confirm>
  );
}
