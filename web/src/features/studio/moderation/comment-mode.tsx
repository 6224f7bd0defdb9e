import { useState } from 'react';
import { type CommentMode as Mode, UpdateCommentMode } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { SelectField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

const MODES: readonly (readonly [Mode, string])[] = [
  ['ENABLED', t`Everyone`],
  ['HOLD_ALL', t`Everyone, held for review`],
  ['MEMBERS_ONLY', t`Channel members only`],
  ['DISABLED', t`No one`],
];

/** Who can comment, saved on change. */
export function CommentMode({ contentId, mode: first }: { contentId: string; mode: Mode }) {
  const [mode, setMode] = useState(first);
  const action = useAction();
  const save = (named: string): void => {
    const chosen = MODES.find(([name]) => name === named)?.[0];
    if (!chosen) return;
    setMode(chosen);
    action.run('save', async () => {
      await api(UpdateCommentMode, { id: contentId, mode: chosen }).catch((error: unknown) => {
        setMode(mode);
        throw error;
      });
    });
  };
  return (
    <Panel title={t`Comments`}>
      <SelectField
        label={t`Who can comment`}
        value={mode}
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
    </Panel>
  );
}
