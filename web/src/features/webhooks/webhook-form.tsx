import { useState } from 'react';
import { EVENT_TYPES } from '../../gql/generated/event-types.gen.ts';
import { CreateWebhook, type CreateWebhookResult, UpdateWebhook, type WebhookPartsFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { textOf, useForm } from '../../lib/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

type Created = CreateWebhookResult['createWebhook'];

type Properties =
  | { readonly channel: string; readonly webhook?: never; readonly onSaved: (webhook: Created) => void; readonly onCancel: () => void }
  | {
      readonly channel?: never;
      readonly webhook: WebhookPartsFragment;
      readonly onSaved: (webhook: WebhookPartsFragment) => void;
      readonly onCancel: () => void;
    };

/** What most receivers want to hear of. */
const USUAL: readonly string[] = ['content.published', 'content.unpublished', 'content.deleted'];

/** A new webhook, or a change of one. */
export function WebhookForm(properties: Properties) {
  const { webhook, onCancel } = properties;
  const [events, setEvents] = useState<ReadonlySet<string>>(new Set(webhook?.events ?? USUAL));
  const form = useForm(async (data) => {
    const input = { url: textOf(data, 'url'), description: textOf(data, 'description'), events: [...events] };
    if (properties.webhook) properties.onSaved((await api(UpdateWebhook, { id: properties.webhook.id, input })).updateWebhook);
    else properties.onSaved((await api(CreateWebhook, { channel: properties.channel, input })).createWebhook);
  });
  return (
    <form
      aria-label={webhook ? 'Change the webhook' : 'New webhook'}
      onSubmit={form.onSubmit}
      className="space-y-5 rounded-2xl border border-line bg-surface p-5 sm:p-6"
    >
      <TextField
        label="Address"
        name="url"
        type="url"
        required
        placeholder="https://example.com/hooks"
        defaultValue={webhook?.url}
        fault={form.fault('url')}
        hint="Begins with https:// and can be reached from the internet."
      />
      <TextField
        label="Description"
        name="description"
        maxLength={300}
        defaultValue={webhook?.description}
        fault={form.fault('description')}
        hint="What it is for; only you see it."
      />
      <EventChoice chosen={events} onChange={setEvents} />
      {form.error !== null && <ErrorNotice error={form.error} />}
      <div className="flex flex-wrap gap-3">
        <Button look="primary" type="submit" busy={form.busy} disabled={events.size === 0}>
          {webhook ? 'Save' : 'Create webhook'}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

function EventChoice({ chosen, onChange }: { chosen: ReadonlySet<string>; onChange: (chosen: ReadonlySet<string>) => void }) {
  const all = Object.entries(EVENT_TYPES);
  const set = (name: string, on: boolean): void => {
    const next = new Set(chosen);
    if (on) next.add(name);
    else next.delete(name);
    onChange(next);
  };
  return (
    <fieldset className="min-w-0 space-y-3">
      <legend className="text-sm font-semibold">
        Events <span className="font-normal text-muted">({chosen.size === 0 ? 'choose at least one' : `${chosen.size} chosen`})</span>
      </legend>
      <div className="flex gap-1">
        <Button look="quiet" className="-ml-2.5 text-sm" onClick={() => onChange(new Set(all.map(([name]) => name)))}>
          Choose all
        </Button>
        <Button look="quiet" className="text-sm" onClick={() => onChange(new Set())}>
          Choose none
        </Button>
      </div>
      <div className="grid max-h-96 gap-x-6 gap-y-3 overflow-y-auto rounded-lg border border-line bg-ink p-4 sm:grid-cols-2">
        {all.map(([name, meaning]) => (
          <CheckField
            key={name}
            label={name}
            hint={meaning}
            checked={chosen.has(name)}
            onChange={(event) => set(name, event.currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  );
}
