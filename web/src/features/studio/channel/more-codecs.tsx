import { useRouter } from '@tanstack/react-router';
import {
  type StudioChannelPartsFragment,
  UpdateChannel,
  type UpdateChannelInput,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { CheckField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

/** The codecs that videos get beside H.264. */
export function MoreCodecs({ channel }: { channel: StudioChannelPartsFragment }) {
  const router = useRouter();
  const action = useAction();
  const save = (input: UpdateChannelInput): void =>
    action.run('save', async () => {
      await api(UpdateChannel, { id: channel.id, input });
      await router.invalidate({ sync: true });
    });
  return (
    <Panel
      title={t`More codecs`}
      hint={t`Videos of at least 640x480 processed from now on are also encoded in these codecs, in the background.`}
    >
      <CheckField
        label="AV1"
        hint={t`Plays in most browsers and takes about a third less data at the same quality.`}
        checked={channel.encodeAv1}
        disabled={action.busy !== null}
        onChange={(event) => save({ encodeAv1: event.currentTarget.checked })}
      />
      <CheckField
        label={t`HEVC (H.265)`}
        hint={t`Plays in Safari, on phones and on television sets, and takes about a quarter less data.`}
        checked={channel.encodeHevc}
        disabled={action.busy !== null}
        onChange={(event) => save({ encodeHevc: event.currentTarget.checked })}
      />
      {action.error !== null && <ErrorNotice error={action.error} />}
    </Panel>
  );
}
