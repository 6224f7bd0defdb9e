import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  type StudioChannelPartsFragment,
  StudioStorage,
  UpdateChannel,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { byteSize } from '../../../lib/format.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { CheckField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

interface Properties {
  readonly channel: StudioChannelPartsFragment;
  readonly mayChange: boolean;
}

/** What the files of a channel take, and whether it keeps original files. */
export function ChannelStorage({ channel, mayChange }: Properties) {
  const { data, error } = useQuery(operationQuery(StudioStorage, { channel: channel.id }));
  const router = useRouter();
  const action = useAction();
  const storage = data?.channelDashboard?.storage;
  const keepOriginals = (keep: boolean): void =>
    action.run('save', async () => {
      await api(UpdateChannel, { id: channel.id, input: { keepOriginals: keep } });
      await router.invalidate({ sync: true });
    });
  return (
    <Panel title={t`Storage`} hint={t`It counts for the plan of the channel’s owner.`}>
      {error !== null && <ErrorNotice error={error} />}
      {storage && (
        <dl className="flex flex-wrap gap-x-10 gap-y-3">
          <Amount label={t`Originals and images`} bytes={storage.usedBytes} />
          <Amount label={t`Generated streams and downloads`} bytes={storage.derivedBytes} />
          <Amount label={t`Total`} bytes={storage.totalBytes} />
        </dl>
      )}
      {mayChange && (
        <CheckField
          label={t`Keep original files`}
          hint={t`Otherwise an uploaded video file is deleted after processing: it cannot be downloaded or processed
            again, and no frame of it can become the thumbnail. Applies to videos processed from now on.`}
          checked={channel.keepOriginals}
          disabled={action.busy !== null}
          onChange={(event) => keepOriginals(event.currentTarget.checked)}
        />
      )}
      {action.error !== null && <ErrorNotice error={action.error} />}
    </Panel>
  );
}

function Amount({ label, bytes }: { label: string; bytes: number }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-xl font-bold tabular-nums">{byteSize(bytes)}</dd>
    </div>
  );
}
