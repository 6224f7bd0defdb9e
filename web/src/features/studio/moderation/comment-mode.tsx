import { useState } from 'react';
import {
  type CommentModePartsFragment,
  ContentCommentMode,
  type CommentMode as Mode,
  UpdateCommentMode,
  type UpdateCommentSettingsInput,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { type EditFields, textEdit } from '../../../lib/edits/edit-fields.ts';
import { useEdits } from '../../../lib/edits/use-edits.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

const MODES: readonly (readonly [Mode, string])[] = [
  ['ENABLED', t`Everyone`],
  ['HOLD_ALL', t`Everyone, held for review`],
  ['MEMBERS_ONLY', t`Channel members only`],
  ['DISABLED', t`No one`],
];

const FIELDS: EditFields<CommentModePartsFragment> = {
  mode: {
    ...textEdit(t`Who can comment`, ({ commentSettings }) => commentSettings.mode),
    words: (mode) => MODES.find(([name]) => name === mode)?.[1] ?? mode,
  },
};

/** Who can comment, saved on change. */
export function CommentMode({ content }: { content: CommentModePartsFragment }) {
  const { id } = content;
  const [stored, setStored] = useState(content);
  const [chosen, setChosen] = useState<string | null>(null);
  const action = useAction();
  const edits = useEdits({
    fields: FIELDS,
    send: (input: UpdateCommentSettingsInput) => api(UpdateCommentMode, { id, input }),
    load: async () => (await api(ContentCommentMode, { id })).content ?? null,
  });
  const save = (mode: string): void => {
    setChosen(mode);
    action.run('save', async () => {
      try {
        setStored((await edits.save(stored, { mode: [mode] })) ?? stored);
      } finally {
        setChosen(null);
      }
    });
  };
  return (
    <Panel title={t`Comments`}>
      <SelectField
        label={t`Who can comment`}
        value={chosen ?? stored.commentSettings.mode}
        hint={t`Existing comments are kept.`}
        onChange={(event) => save(event.currentTarget.value)}
      >
        {MODES.map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </SelectField>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <ConflictDialog question={edits.question} />
    </Panel>
  );
}
