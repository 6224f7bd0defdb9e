import { useQuery } from '@tanstack/react-query';
import { StudioStorage } from '../../../gql/generated/operations.gen.ts';
import { byteSize } from '../../../lib/format.ts';
import { operationQuery } from '../../../lib/query.ts';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

/** What the files of a channel take. */
export function ChannelStorage({ channelId }: { channelId: string }) {
  const { data, error } = useQuery(operationQuery(StudioStorage, { channel: channelId }));
  const storage = data?.channelDashboard?.storage;
  return (
    <Panel title="Storage" hint="It counts for the plan of the channel’s owner.">
      {error !== null && <ErrorNotice error={error} />}
      {storage && (
        <dl className="flex flex-wrap gap-x-10 gap-y-3">
          <Amount label="Originals and images" bytes={storage.usedBytes} />
          <Amount label="Generated streams and downloads" bytes={storage.derivedBytes} />
          <Amount label="Total" bytes={storage.totalBytes} />
        </dl>
      )}
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
