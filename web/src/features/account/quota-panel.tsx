import type { AccountSettingsResult } from '../../gql/generated/operations.gen.ts';
import { byteSize, calendarDate } from '../../lib/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Progress } from '../../ui/progress.tsx';

const percent = (used: number, limit: number): number => (limit > 0 ? (used / limit) * 100 : 0);

/** Usage of the plan's quotas. */
export function QuotaPanel({
  credits: { storage, derivedStorage, uploadMinutes, generation, channels },
}: {
  credits: AccountSettingsResult['me']['credits'];
}) {
  const minutes = Math.round(uploadMinutes.used).toLocaleString('en');
  return (
    <Panel title="Usage" hint={`Upload minutes and credits reset on ${calendarDate(uploadMinutes.resetsAt)}.`}>
      <Progress
        label={`Storage: ${byteSize(storage.usedBytes)} of ${byteSize(storage.limitBytes)}`}
        percent={percent(storage.usedBytes, storage.limitBytes)}
      />
      <Progress
        label={
          `Generated streams and downloads: ${byteSize(derivedStorage.usedBytes)} of ` +
          `${byteSize(derivedStorage.limitBytes)}`
        }
        percent={percent(derivedStorage.usedBytes, derivedStorage.limitBytes)}
      />
      <Progress
        label={`Uploaded this month: ${minutes} of ${uploadMinutes.limit.toLocaleString('en')} minutes`}
        percent={percent(uploadMinutes.used, uploadMinutes.limit)}
      />
      <Progress
        label={
          `Credits for enhancements this month: ${generation.spent.toLocaleString('en')} of ` +
          generation.limit.toLocaleString('en')
        }
        percent={percent(generation.spent, generation.limit)}
      />
      <Progress
        label={`Channels: ${channels.used} of ${channels.limit}`}
        percent={percent(channels.used, channels.limit)}
      />
    </Panel>
  );
}
