import {
  type LiveInputPartsFragment,
  RescheduleStream,
  type ScheduledStreamFragment,
  ScheduleStream,
} from '../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../lib/api.ts';
import { localInput } from '../../lib/format.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { VISIBILITIES } from './live-choices.ts';

const MINUTE_MS = 60_000;
/** Bound of the API. */
const MAX_AHEAD_MS = 366 * 86_400_000;
/** What a form proposes. */
const PROPOSED_MS = 86_400_000;

interface Properties {
  readonly inputs: readonly LiveInputPartsFragment[];
  /** The broadcast that gets another time; null for a new one. */
  readonly stream: ScheduledStreamFragment | null;
  readonly onSaved: () => Promise<void>;
  readonly onCancel: () => void;
}

/** The form in the dialog that schedules a broadcast, or gives one another time. */
export function ScheduleForm({ inputs, stream, onSaved, onCancel }: Properties) {
  const form = useForm(async (data) => {
    const scheduledAt = instantOf(data);
    const liveInput = textOf(data, 'liveInput');
    if (stream) {
      const moved = liveInput === '' ? { scheduledAt } : { scheduledAt, liveInput };
      await api(RescheduleStream, { id: stream.id, input: moved });
    } else {
      const visibility = (Object.keys(VISIBILITIES) as (keyof typeof VISIBILITIES)[]).find(
        (value) => value === data.get('visibility'),
      ); // the keys of a record
      const input = { liveInput, scheduledAt, visibility, title: textOf(data, 'title') };
      await api(ScheduleStream, { input: { ...input, summary: textOf(data, 'summary') } });
    }
    await onSaved();
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      {stream === null && (
        <>
          <TextField
            label={t`Title`}
            name="title"
            required
            maxLength={200}
            autoComplete="off"
            error={form.fieldError('title')}
          />
          <TextArea
            label={t`Description`}
            name="summary"
            rows={3}
            maxLength={5_000}
            error={form.fieldError('summary')}
          />
        </>
      )}
      <Time stream={stream} error={form.fieldError('scheduledAt')} />
      <SelectField label={t`Live input`} name="liveInput" error={form.fieldError('liveInput')}>
        {stream !== null && <option value="">{t`As before`}</option>}
        {inputs.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {stream === null && (
        <SelectField
          label={t`Visibility`}
          name="visibility"
          defaultValue={inputs[0]?.visibility}
          error={form.fieldError('visibility')}
        >
          {Object.entries(VISIBILITIES).map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </SelectField>
      )}
      {form.error !== null && <ErrorNotice error={form.error} />}
      <DialogButtons>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
        <Button look="primary" type="submit" busy={form.busy}>
          {stream === null ? t`Schedule` : t`Save`}
        </Button>
      </DialogButtons>
    </form>
  );
}

function Time({ stream, error }: { readonly stream: ScheduledStreamFragment | null; readonly error: string | null }) {
  const nowMs = Date.now();
  const before = Date.parse(stream?.broadcast?.scheduledAt ?? '');
  return (
    <TextField
      label={t`Date and time`}
      name="scheduledAt"
      type="datetime-local"
      required
      min={localInput(nowMs + MINUTE_MS)}
      max={localInput(nowMs + MAX_AHEAD_MS)}
      defaultValue={localInput(before > nowMs ? before : nowMs + PROPOSED_MS)}
      hint={t`In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')}.`}
      error={error}
    />
  );
}

/** The time of the form. Throws ApiError where there is none. */
function instantOf(data: FormData): string {
  const atMs = Date.parse(textOf(data, 'scheduledAt'));
  if (!Number.isNaN(atMs)) return new Date(atMs).toISOString();
  const extensions = { code: 'INVALID_INPUT', field: 'input.scheduledAt' } as const;
  throw new ApiError({ message: t`Choose a date and a time.`, extensions });
}
