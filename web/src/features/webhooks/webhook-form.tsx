import { useState } from 'react';
import {
  CreateWebhook,
  type CreateWebhookResult,
  UpdateWebhook,
  type UpdateWebhookInput,
  Webhook,
  type WebhookPartsFragment,
} from '../../gql/generated/operations.gen.ts';
import type { WebhookOrder } from '../../gql/generated/types.gen.ts';
import { api } from '../../lib/api.ts';
import { choicesEdit, type EditFields, textEdit } from '../../lib/edits/edit-fields.ts';
import { useEdits } from '../../lib/edits/use-edits.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { patternOf, topicOf } from '../events/event-names.ts';
import { EventSelector } from './event-selector.tsx';

type Created = CreateWebhookResult['createWebhook']['webhook'];

type Properties =
  | {
      readonly channel: string;
      readonly webhook?: never;
      readonly onSaved: (webhook: Created) => void;
      readonly onCancel: () => void;
    }
  | {
      readonly channel?: never;
      readonly webhook: WebhookPartsFragment;
      readonly onSaved: (webhook: WebhookPartsFragment) => void;
      readonly onCancel: () => void;
    };

/** Preselected event types. */
const DEFAULT_EVENTS: readonly string[] = ['content.published', 'content.unpublished', 'content.deleted'];

const FIELDS: EditFields<WebhookPartsFragment> = {
  url: textEdit(t`Endpoint URL`, ({ url }) => url),
  description: textEdit(t`Description`, ({ description }) => description),
  events: choicesEdit(t`Events`, ({ events }) => events),
  order: textEdit(t`Delivery order`, ({ order }) => order),
};

/** The form to create or edit a webhook. */
export function WebhookForm(properties: Properties) {
  const { webhook, onCancel } = properties;
  const [events, setEvents] = useState<ReadonlySet<string>>(new Set(webhook?.events.map(patternOf) ?? DEFAULT_EVENTS));
  const [seen] = useState(webhook);
  const id = webhook?.id ?? '';
  const edits = useEdits({
    fields: FIELDS,
    send: (input: UpdateWebhookInput) => api(UpdateWebhook, { id, input }),
    load: () => loadWebhook(id),
  });
  const form = useForm(async (data) => {
    const [url, description, order] = [textOf(data, 'url'), textOf(data, 'description'), orderOf(data)];
    if (properties.webhook) {
      const chosen = { url: [url], description: [description], events: [...events].map(topicOf), order: [order] };
      const stored = await edits.save(seen ?? properties.webhook, chosen);
      if (stored === null) return false;
      return properties.onSaved(stored);
    }
    const input = { url, description, order, events: [...events].map(topicOf) };
    return properties.onSaved(
      (await api(CreateWebhook, { input: { channel: properties.channel, ...input } })).createWebhook.webhook,
    );
  });
  return (
    <>
      <WebhookFields webhook={webhook} form={form} events={events} onEvents={setEvents} onCancel={onCancel} />
      <ConflictDialog question={edits.question} />
    </>
  );
}

function orderOf(data: FormData): WebhookOrder {
  return textOf(data, 'order') === 'PER_CONTENT' ? 'PER_CONTENT' : 'PARALLEL';
}

async function loadWebhook(id: string): Promise<WebhookPartsFragment | null> {
  const { node } = await api(Webhook, { id });
  return node?.__typename === 'Webhook' ? node : null;
}

interface FieldsProperties {
  readonly webhook: WebhookPartsFragment | undefined;
  readonly form: ReturnType<typeof useForm>;
  readonly events: ReadonlySet<string>;
  readonly onEvents: (events: ReadonlySet<string>) => void;
  readonly onCancel: () => void;
}

function WebhookFields({ webhook, form, events, onEvents, onCancel }: FieldsProperties) {
  return (
    <form
      aria-label={webhook ? t`Edit webhook` : t`New webhook`}
      onSubmit={form.onSubmit}
      className="space-y-5 card p-5 sm:p-6"
    >
      <TextField
        label={t`Endpoint URL`}
        name="url"
        autoFocus
        type="url"
        required
        placeholder="https://example.com/hooks"
        defaultValue={webhook?.url}
        error={form.fieldError('url')}
        hint={t`Must start with https:// and be reachable from the internet.`}
      />
      <TextField
        label={t`Description`}
        name="description"
        maxLength={300}
        defaultValue={webhook?.description}
        error={form.fieldError('description')}
        hint={t`Optional. Visible to the owner and managers of the channel only.`}
      />
      <SelectField
        label={t`Delivery order`}
        name="order"
        defaultValue={webhook?.order ?? 'PARALLEL'}
        hint={t`In order, an event waits up to an hour until earlier ones about the same video have arrived.`}
      >
        <option value="PARALLEL">{t`As fast as possible`}</option>
        <option value="PER_CONTENT">{t`In order for each video`}</option>
      </SelectField>
      <EventSelector chosen={events} onChange={onEvents} />
      {form.error !== null && <ErrorNotice error={form.error} />}
      <div className="flex flex-wrap gap-3">
        <Button look="primary" type="submit" busy={form.busy} disabled={events.size === 0}>
          {webhook ? t`Save` : t`Create webhook`}
        </Button>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
      </div>
    </form>
  );
}
