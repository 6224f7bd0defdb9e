import { useId, useState } from 'react';
import {
  type NotificationSettingsResult,
  UpdateNotificationSettings,
  type UpdateNotificationSettingsInput,
} from '../../gql/generated/operations.gen.ts';
import { sendsMail } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

type Setting = NotificationSettingsResult['me']['notificationSettings'][number];

const LABELS: Readonly<Record<Setting['kind'], string>> = {
  COMMENT_REPLY: t`Replies to your comments`,
  COMMENT_HEART: t`Hearts for your comments`,
  NEW_VIDEO: t`New videos of channels you follow`,
  PROCESSING_DONE: t`Your videos that are ready`,
  PROCESSING_FAILED: t`Your videos that could not be processed`,
  REPORT_REVIEWED: t`Reports of yours that were reviewed`,
  CHANNEL_INVITATION: t`Invitations to channels`,
};

/** Where notifications of each kind are shown or sent, saved on change. */
export function NotificationSettings({ settings: first }: { settings: readonly Setting[] }) {
  const [settings, setSettings] = useState(first);
  const [isSaved, setSaved] = useState(false);
  const action = useAction();
  const id = useId();
  const mails = sendsMail();
  const save = (input: UpdateNotificationSettingsInput): void => {
    const before = settings;
    setSettings(before.map((each) => (each.kind === input.kind ? ({ ...each, ...input } as Setting) : each)));
    setSaved(false);
    action.run('save', async () => {
      try {
        await api(UpdateNotificationSettings, { input });
        setSaved(true);
      } catch (error) {
        setSettings(before);
        throw error;
      }
    });
  };
  return (
    <div id="notifications" className="scroll-mt-20">
      <Panel
        title={t`Notifications`}
        hint={mails ? undefined : t`This server sends no email until its operator sets up a mail server.`}
      >
        <table className="w-full">
          <thead>
            <tr className="text-sm text-muted">
              <td />
              <th id={`${id}-page`} scope="col" className="w-24 pb-2 font-semibold">{t`In ${siteName()}`}</th>
              <th id={`${id}-mail`} scope="col" className="w-20 pb-2 font-semibold">{t`Email`}</th>
            </tr>
          </thead>
          <tbody>
            {settings.map(({ kind, inPage, byMail }) => (
              <tr key={kind} className="border-t border-line">
                <th scope="row" id={`${id}-${kind}`} className="py-2.5 pe-3 text-start font-normal">
                  {LABELS[kind]}
                </th>
                <td className="text-center">
                  <input
                    type="checkbox"
                    aria-labelledby={`${id}-${kind} ${id}-page`}
                    className="size-5 accent-accent"
                    checked={inPage}
                    onChange={(event) => save({ kind, inPage: event.currentTarget.checked })}
                  />
                </td>
                <td className="text-center">
                  <input
                    type="checkbox"
                    aria-labelledby={`${id}-${kind} ${id}-mail`}
                    className="size-5 accent-accent"
                    checked={byMail}
                    onChange={(event) => save({ kind, byMail: event.currentTarget.checked })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p role="status" className="text-sm text-sea">
          {isSaved ? t`Saved.` : ''}
        </p>
        {action.error !== null && <ErrorNotice error={action.error} />}
      </Panel>
    </div>
  );
}
