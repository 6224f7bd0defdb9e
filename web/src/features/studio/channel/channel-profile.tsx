import { useRouter } from '@tanstack/react-router';
import {
  StudioChannel,
  type StudioChannelPartsFragment,
  UpdateChannel,
  type UpdateChannelInput,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { type EditFields, optionalEdit, textEdit } from '../../../lib/edits/edit-fields.ts';
import { useEditForm } from '../../../lib/edits/use-edit-form.ts';
import { t } from '../../../lib/i18n.ts';
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { readKeywords } from '../content/keywords.ts';

const FIELDS: EditFields<StudioChannelPartsFragment> = {
  title: textEdit(t`Name`, ({ metadata }) => metadata.title),
  handle: textEdit(
    t`Handle`,
    ({ handle }) => handle,
    (text) => text.replace(/^@/, ''),
  ),
  summary: textEdit(t`Description`, ({ metadata }) => metadata.summary),
  keywords: textEdit(t`Keywords`, ({ metadata }) => metadata.keywords.join(', '), readKeywords),
  websiteUrl: optionalEdit(t`Website`, ({ websiteUrl }) => websiteUrl),
  timeZone: textEdit(t`Time zone`, ({ timeZone }) => timeZone),
};

/** Name, handle, description, website and time zone. */
export function ChannelProfile({ channel }: { channel: StudioChannelPartsFragment }) {
  const router = useRouter();
  const { title, summary, keywords } = channel.metadata;
  const { id } = channel;
  const form = useEditForm({
    fields: FIELDS,
    edited: channel,
    send: (input: UpdateChannelInput) => api(UpdateChannel, { id, input }),
    load: async () => (await api(StudioChannel, { id })).channel ?? null,
    onSaved: () => router.invalidate({ sync: true }),
  });
  return (
    <Panel title={t`Profile`}>
      <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <TextField label={t`Name`} name="title" required defaultValue={title} error={form.fieldError('title')} />
        <TextField
          label={t`Handle`}
          name="handle"
          required
          autoComplete="off"
          defaultValue={channel.handle}
          hint={t`Unique name used in links and mentions.`}
          error={form.fieldError('handle')}
        />
        <TextArea label={t`Description`} name="summary" defaultValue={summary} error={form.fieldError('summary')} />
        <TextField
          label={t`Keywords`}
          name="keywords"
          defaultValue={keywords.join(', ')}
          hint={t`Search terms, separated by commas.`}
          error={form.fieldError('keywords')}
        />
        <TextField
          label={t`Website`}
          name="websiteUrl"
          type="url"
          defaultValue={channel.websiteUrl ?? ''}
          hint={t`Shown on the channel's page.`}
          error={form.fieldError('websiteUrl')}
        />
        <SelectField
          label={t`Time zone`}
          name="timeZone"
          defaultValue={channel.timeZone}
          hint={t`Days in analytics start at midnight in this time zone.`}
          error={form.fieldError('timeZone')}
        >
          {timeZones(channel.timeZone).map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
        <SaveBar busy={form.busy} saved={form.saved} />
      </form>
      <ConflictDialog question={form.question} />
    </Panel>
  );
}

function timeZones(present: string): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), present])];
}
