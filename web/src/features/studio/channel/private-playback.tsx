import { useRouter } from '@tanstack/react-router';
import { type StudioChannelPartsFragment, UpdateChannel } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { CheckField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

/** How private videos are sent to viewers. */
export function PrivatePlayback({ channel }: { channel: StudioChannelPartsFragment }) {
  const router = useRouter();
  const action = useAction();
  const encrypt = (encryptPrivateVideos: boolean): void =>
    action.run('save', async () => {
      await api(UpdateChannel, { id: channel.id, input: { encryptPrivateVideos } });
      await router.invalidate({ sync: true });
    });
  return (
    <Panel
      title={t`Private playback`}
      hint={t`How videos that are not public are sent to the people who may watch them.`}
    >
      <CheckField
        label={t`Encrypt private videos`}
        hint={t`Their streams are encrypted by HLS with AES-128, and DASH is not offered. Takes effect within a
          minute; viewers who are watching must reload.`}
        checked={channel.encryptPrivateVideos}
        disabled={action.busy !== null}
        onChange={(event) => encrypt(event.currentTarget.checked)}
      />
      {action.error !== null && <ErrorNotice error={action.error} />}
    </Panel>
  );
}
