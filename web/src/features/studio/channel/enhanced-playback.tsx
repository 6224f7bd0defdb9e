import { useRouter } from '@tanstack/react-router';
import { type StudioChannelPartsFragment, UpdateChannel } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { CheckField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

/** Whether players choose what was enhanced by themselves. */
export function EnhancedPlayback({ channel }: { channel: StudioChannelPartsFragment }) {
  const router = useRouter();
  const action = useAction();
  const prefer = (preferEnhanced: boolean): void =>
    action.run('save', async () => {
      await api(UpdateChannel, { id: channel.id, input: { preferEnhanced } });
      await router.invalidate({ sync: true });
    });
  return (
    <Panel title={t`Enhanced playback`} hint={t`For videos that were upscaled, or whose sound was upmixed.`}>
      <CheckField
        label={t`Play enhanced video and sound by default`}
        hint={t`Otherwise the originals are played unless a viewer chooses the enhanced ones. Applies to all videos of
          the channel within a minute; viewers who are watching must reload.`}
        checked={channel.preferEnhanced}
        disabled={action.busy !== null}
        onChange={(event) => prefer(event.currentTarget.checked)}
      />
      {action.error !== null && <ErrorNotice error={action.error} />}
    </Panel>
  );
}
