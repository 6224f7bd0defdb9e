import type { AccountSettingsResult } from '../../gql/generated/operations.gen.ts';
import { byteSize, calendarDate } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { Panel } from '../../ui/panel.tsx';
import { Progress } from '../../ui/progress.tsx';

const percent = (used: number, limit: number): number => (limit > 0 ? (used / limit) * 100 : 0);

/** Usage of the plan's quotas. */
export function QuotaPanel({
  credits: { storage, derivedStorage, uploadMinutes, generation, channels, liveInputs, broadcasts },
}: {
  credits: AccountSettingsResult['me']['credits'];
}) {
  const used = count(uploadMinutes.used);
  const allowed = uploadMinutes.limit;
  const broadcast = count(broadcasts.minutesUsed);
  const [spent, limit] = [count(generation.spent), count(generation.limit)];
  return (
    <Panel title={t`Usage`} hint={t`Minutes and credits reset on ${calendarDate(uploadMinutes.resetsAt)}.`}>
      <Progress
        label={t`Storage: ${byteSize(storage.usedBytes)} of ${byteSize(storage.limitBytes)}`}
        percent={percent(storage.usedBytes, storage.limitBytes)}
      />
      <Progress
        label={t`Generated streams and downloads: ${byteSize(derivedStorage.usedBytes)} of
          ${byteSize(derivedStorage.limitBytes)}`}
        percent={percent(derivedStorage.usedBytes, derivedStorage.limitBytes)}
      />
      <Progress
        label={t`Uploaded this month: ${used} of ${plural(allowed, { one: '# minute', other: '# minutes' })}`}
        percent={percent(uploadMinutes.used, uploadMinutes.limit)}
      />
      <Progress
        label={t`Credits for enhancements this month: ${spent} of ${limit}`}
        percent={percent(generation.spent, generation.limit)}
      />
      <Progress
        label={t`Channels: ${channels.used} of ${channels.limit}`}
        percent={percent(channels.used, channels.limit)}
      />
      <Progress
        label={t`Broadcast this month: ${broadcast} of ${plural(broadcasts.minutesLimit, {
          one: '# minute',
          other: '# minutes',
        })}`}
        percent={percent(broadcasts.minutesUsed, broadcasts.minutesLimit)}
      />
      <Progress
        label={t`Live inputs: ${liveInputs.used} of ${liveInputs.limit}`}
        percent={percent(liveInputs.used, liveInputs.limit)}
      />
    </Panel>
  );
}
