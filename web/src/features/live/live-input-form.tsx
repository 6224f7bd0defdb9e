import { useState } from 'react';
import {
  CreateLiveInput,
  LiveInput,
  type LiveInputPartsFragment,
  UpdateLiveInput,
} from '../../gql/generated/operations.gen.ts';
import type { UpdateLiveInputInput } from '../../gql/generated/types.gen.ts';
import { api } from '../../lib/api.ts';
import { checkEdit, type EditFields, textEdit } from '../../lib/edits/edit-fields.ts';
import { readControls } from '../../lib/edits/form-controls.ts';
import { useEdits } from '../../lib/edits/use-edits.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { CHAT_MODES } from '../chat/chat-choices.ts';
import { LATENCIES, RECORDINGS, STARTS, VISIBILITIES } from './live-choices.ts';

/** Bounds of the API. */
const MAX_RECONNECT_SECONDS = 300;
const MAX_SLOW_SECONDS = 600;

const FIELDS: EditFields<LiveInputPartsFragment> = {
  name: textEdit(t`Name`, ({ name }) => name),
  visibility: chosen(t`Visibility`, VISIBILITIES, ({ visibility }) => visibility),
  latency: chosen(t`Latency`, LATENCIES, ({ latency }) => latency),
  recording: chosen(t`Recording`, RECORDINGS, ({ recording }) => recording),
  start: chosen(t`Start`, STARTS, ({ start }) => start),
  srt: checkEdit(t`Also receive SRT`, ({ srt }) => srt),
  reconnectWindowMs: secondsEdit(t`Reconnect window in seconds`, ({ reconnectWindowMs }) => reconnectWindowMs),
  chatMode: chosen(t`Who can write in chats`, CHAT_MODES, ({ chatMode }) => chatMode),
  chatSlowModeMs: secondsEdit(t`Slow mode of chats in seconds`, ({ chatSlowModeMs }) => chatSlowModeMs),
};

/** A duration that is entered in seconds. */
function secondsEdit(label: string, ms: (input: LiveInputPartsFragment) => number) {
  return textEdit(
    label,
    (input: LiveInputPartsFragment) => String(ms(input) / 1_000),
    (seconds: string) => Math.round(Number(seconds) * 1_000),
  );
}

/** A field that is chosen from a list. */
function chosen<Value extends string>(
  label: string,
  choices: Readonly<Record<Value, string>>,
  of: (input: LiveInputPartsFragment) => Value,
) {
  return { ...textEdit(label, of), words: (entry: string) => choices[entry as Value] ?? entry }; // of the list
}

interface NewProperties {
  readonly channel: string;
  readonly onSaved: () => Promise<void>;
  readonly onCancel: () => void;
}

/** The form in the dialog that creates a live input. */
export function NewLiveInput({ channel, onSaved, onCancel }: NewProperties) {
  const form = useForm(async (data) => {
    const input = {
      ...{ channel, name: textOf(data, 'name') },
      visibility: choiceOf(VISIBILITIES, data, 'visibility'),
      latency: choiceOf(LATENCIES, data, 'latency'),
      recording: choiceOf(RECORDINGS, data, 'recording'),
      start: choiceOf(STARTS, data, 'start'),
      srt: data.has('srt'),
    };
    await api(CreateLiveInput, { input });
    await onSaved();
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      <Fields form={form} />
      <Buttons form={form} label={t`Create`} onCancel={onCancel} />
    </form>
  );
}

function choiceOf<Value extends string>(choices: Readonly<Record<Value, string>>, data: FormData, name: string) {
  return (Object.keys(choices) as Value[]).find((value) => value === data.get(name)); // the keys of a record
}

interface EditProperties {
  readonly input: LiveInputPartsFragment;
  readonly onSaved: () => Promise<void>;
  readonly onCancel: () => void;
}

/** The form in the dialog that changes a live input. */
export function EditLiveInput({ input, onSaved, onCancel }: EditProperties) {
  // The page polls: what counts is what the person has seen.
  const [seen] = useState(input);
  const { id } = seen;
  const edits = useEdits({
    fields: FIELDS,
    send: (input: UpdateLiveInputInput) => api(UpdateLiveInput, { id, input }),
    load: () => loadInput(id),
  });
  const form = useForm(async (_, element) => {
    const stored = await edits.save(seen, readControls(element, Object.keys(FIELDS)));
    if (stored === null) return false;
    return onSaved();
  });
  return (
    <>
      <form onSubmit={form.onSubmit} className="space-y-4">
        <Fields input={seen} form={form} />
        <TextField
          label={t`Reconnect window in seconds`}
          name="reconnectWindowMs"
          type="number"
          required
          min={0}
          max={MAX_RECONNECT_SECONDS}
          step="any"
          defaultValue={seen.reconnectWindowMs / 1_000}
          error={form.fieldError('reconnectWindowMs')}
          hint={t`How long a broadcast waits for an encoder whose connection was lost: 0 to 300 seconds.`}
        />
        <Choice
          name="chatMode"
          label={t`Who can write in chats`}
          choices={CHAT_MODES}
          value={seen.chatMode}
          form={form}
        />
        <TextField
          label={t`Slow mode of chats in seconds`}
          name="chatSlowModeMs"
          type="number"
          required
          min={0}
          max={MAX_SLOW_SECONDS}
          step="any"
          defaultValue={seen.chatSlowModeMs / 1_000}
          error={form.fieldError('chatSlowModeMs')}
          hint={t`How long an account waits between two messages: 0 to 600 seconds.`}
        />
        <p className="text-sm text-muted">{t`A broadcast that is live goes on as it began.`}</p>
        <Buttons form={form} label={t`Save`} onCancel={onCancel} />
      </form>
      <ConflictDialog question={edits.question} />
    </>
  );
}

async function loadInput(id: string): Promise<LiveInputPartsFragment | null> {
  const { node } = await api(LiveInput, { id });
  return node?.__typename === 'LiveInput' ? node : null;
}

type Form = ReturnType<typeof useForm>;

/** The fields of both forms. */
function Fields({ input, form }: { readonly input?: LiveInputPartsFragment; readonly form: Form }) {
  return (
    <>
      <TextField
        label={t`Name`}
        name="name"
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={input?.name}
        error={form.fieldError('name')}
        hint={t`Also the title of its streams.`}
      />
      <Choice name="visibility" label={t`Visibility`} choices={VISIBILITIES} value={input?.visibility} form={form} />
      <Choice name="latency" label={t`Latency`} choices={LATENCIES} value={input?.latency} form={form} />
      <Choice name="recording" label={t`Recording`} choices={RECORDINGS} value={input?.recording} form={form} />
      <Choice name="start" label={t`Start`} choices={STARTS} value={input?.start} form={form} />
      <CheckField
        label={t`Also receive SRT`}
        name="srt"
        defaultChecked={input?.srt}
        hint={t`For connections that lose packets. It has an address and a passphrase of its own.`}
      />
    </>
  );
}

interface ChoiceProperties {
  readonly name: string;
  readonly label: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly value: string | undefined;
  readonly form: Form;
}

function Choice({ name, label, choices, value, form }: ChoiceProperties) {
  return (
    <SelectField label={label} name={name} defaultValue={value} error={form.fieldError(name)}>
      {Object.entries(choices).map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}

interface ButtonsProperties {
  readonly form: Form;
  readonly label: string;
  readonly onCancel: () => void;
}

function Buttons({ form, label, onCancel }: ButtonsProperties) {
  return (
    <>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <DialogButtons>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
        <Button look="primary" type="submit" busy={form.busy}>
          {label}
        </Button>
      </DialogButtons>
    </>
  );
}
