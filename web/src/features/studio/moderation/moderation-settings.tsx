import {
  type StudioModerationFragment,
  StudioModerationSettings,
  UpdateModeration,
  type UpdateModerationInput,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { checkEdit, type EditFields, textEdit } from '../../../lib/edits/edit-fields.ts';
import { useEditForm } from '../../../lib/edits/use-edit-form.ts';
import { t } from '../../../lib/i18n.ts';
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx';
import { CheckField, TextArea } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { readKeywords } from '../content/keywords.ts';

interface Properties {
  readonly channelId: string;
  readonly moderation: StudioModerationFragment;
}

const FIELDS: EditFields<StudioModerationFragment> = {
  blockedWords: textEdit(t`Blocked words`, ({ blockedWords }) => blockedWords.join('\n'), readKeywords),
  holdLinks: checkEdit(t`Hold comments with links`, ({ holdLinks }) => holdLinks),
};

/** Automated comment filters of the channel. */
export function ModerationSettingsPanel({ channelId, moderation }: Properties) {
  const form = useEditForm({
    fields: FIELDS,
    edited: moderation,
    send: (input: UpdateModerationInput) => api(UpdateModeration, { channel: channelId, input }),
    load: async () => (await api(StudioModerationSettings, { id: channelId })).channel?.moderation ?? null,
  });
  return (
    <Panel
      title={t`Automated filters`}
      hint={t`Apply to new comments on all videos of this channel. To choose who can comment, edit the video.`}
    >
      <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <TextArea
          label={t`Blocked words`}
          name="blockedWords"
          defaultValue={moderation.blockedWords.join('\n')}
          hint={t`Words and phrases, one per line. Comments that contain one are held for review.`}
          error={form.fieldError('blockedWords')}
        />
        <CheckField label={t`Hold comments with links`} name="holdLinks" defaultChecked={moderation.holdLinks} />
        <SaveBar busy={form.busy} saved={form.saved} />
      </form>
      <ConflictDialog question={form.question} />
    </Panel>
  );
}
