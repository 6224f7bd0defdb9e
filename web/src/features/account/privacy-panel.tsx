import { useState } from 'react';
import { type AccountSettingsResult, UpdateSettings } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { CheckField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

type Settings = Pick<AccountSettingsResult['me']['settings'], 'doNotTrack' | 'keepHistory'>;

/** Watch history and tracking settings, saved on change. */
export function PrivacyPanel({ settings: first }: { settings: Settings }) {
  const [settings, setSettings] = useState<Settings>(first);
  const [saved, setSaved] = useState(false);
  const action = useAction();
  const save = (input: Partial<Settings>): void => {
    const before = settings;
    setSettings({ ...before, ...input });
    setSaved(false);
    action.run('save', async () => {
      try {
        setSettings((await api(UpdateSettings, { input })).updateSettings.settings);
        setSaved(true);
      } catch (error) {
        setSettings(before);
        throw error;
      }
    });
  };
  return (
    <Panel title={t`Privacy`}>
      <CheckField
        label={t`Keep watch history`}
        hint={t`Save the videos you watch and your position in them, so you can resume.`}
        checked={settings.keepHistory}
        onChange={(event) => save({ keepHistory: event.currentTarget.checked })}
      />
      <CheckField
        label={t`Do not track`}
        hint={t`Only anonymous counts are recorded of what you watch.`}
        checked={settings.doNotTrack}
        onChange={(event) => save({ doNotTrack: event.currentTarget.checked })}
      />
      <p role="status" className="text-sm text-sea">
        {saved ? t`Saved.` : ''}
      </p>
      {action.error !== null && <ErrorNotice error={action.error} />}
    </Panel>
  );
}
