import { useState } from 'react';
import {
  CreateSimulcastTarget,
  SimulcastTarget,
  type SimulcastTargetPartsFragment,
  UpdateSimulcastTarget,
} from '../../gql/generated/operations.gen.ts';
import type { UpdateSimulcastTargetInput } from '../../gql/generated/types.gen.ts';
import { api } from '../../lib/api.ts';
import { type EditFields, textEdit } from '../../lib/edits/edit-fields.ts';
import { readControls } from '../../lib/edits/form-controls.ts';
import { useEdits } from '../../lib/edits/use-edits.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

/** The stream key is never shown: what is entered replaces it. */
const FIELDS: EditFields<SimulcastTargetPartsFragment> = {
  name: textEdit(t`Name`, ({ name }) => name),
  url: textEdit(t`Server`, ({ url }) => url),
  streamKey: textEdit(t`Stream key`, () => ''),
};

interface NewProperties {
  /** Id of the live input. */
  readonly liveInput: string;
  readonly onSaved: () => Promise<void>;
  readonly onCancel: () => void;
}

/** The form in the dialog that adds a target to a live input. */
export function NewSimulcastTarget({ liveInput, onSaved, onCancel }: NewProperties) {
  const form = useForm(async (data) => {
    const [name, url, streamKey] = [textOf(data, 'name'), textOf(data, 'url'), textOf(data, 'streamKey')];
    await api(CreateSimulcastTarget, { input: { liveInput, name, url, streamKey } });
    await onSaved();
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      <Fields form={form} />
      <Buttons form={form} label={t`Add`} onCancel={onCancel} />
    </form>
  );
}

interface EditProperties {
  readonly target: SimulcastTargetPartsFragment;
  readonly onSaved: () => Promise<void>;
  readonly onCancel: () => void;
}

/** The form in the dialog that changes a target. */
export function EditSimulcastTarget({ target, onSaved, onCancel }: EditProperties) {
  // The page polls: what counts is what the person has seen.
  const [seen] = useState(target);
  const { id } = seen;
  const edits = useEdits({
    fields: FIELDS,
    send: (input: UpdateSimulcastTargetInput) => api(UpdateSimulcastTarget, { id, input }),
    load: () => loadTarget(id),
  });
  const form = useForm(async (_, element) => {
    const stored = await edits.save(seen, readControls(element, Object.keys(FIELDS)));
    if (stored === null) return false;
    return onSaved();
  });
  return (
    <>
      <form onSubmit={form.onSubmit} className="space-y-4">
        <Fields target={seen} form={form} />
        <Buttons form={form} label={t`Save`} onCancel={onCancel} />
      </form>
      <ConflictDialog question={edits.question} />
    </>
  );
}

async function loadTarget(id: string): Promise<SimulcastTargetPartsFragment | null> {
  const { node } = await api(SimulcastTarget, { id });
  return node?.__typename === 'SimulcastTarget' ? node : null;
}

type Form = ReturnType<typeof useForm>;

/** The fields of both forms. */
function Fields({ target, form }: { readonly target?: SimulcastTargetPartsFragment; readonly form: Form }) {
  return (
    <>
      <TextField
        label={t`Name`}
        name="name"
        required
        maxLength={100}
        autoComplete="off"
        placeholder="YouTube"
        defaultValue={target?.name}
        error={form.fieldError('name')}
      />
      <TextField
        label={t`Server`}
        name="url"
        type="url"
        required
        autoComplete="off"
        placeholder="rtmps://a.rtmps.youtube.com/live2"
        defaultValue={target?.url}
        error={form.fieldError('url')}
        hint={t`As the other service shows it, beginning with rtmps or rtmp.`}
      />
      <TextField
        label={t`Stream key`}
        name="streamKey"
        type="password"
        required={target === undefined}
        autoComplete="off"
        error={form.fieldError('streamKey')}
        hint={
          target === undefined
            ? t`Of the other service. It is stored encrypted, and not shown again.`
            : t`Leave it empty to keep the present one.`
        }
      />
    </>
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
