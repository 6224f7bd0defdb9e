import type { AnalyticsAudienceResult } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { count, shortCount, signed } from '../../../lib/numbers.ts';
import { Panel } from '../../../ui/panel.tsx';
import { Chart } from '../chart/chart.tsx';
import type { ChartPoint } from '../chart/chart-point.ts';
import { pointName } from '../period/period.ts';

type Followers = NonNullable<NonNullable<AnalyticsAudienceResult['channel']>['analytics']>['subscribers'];

/** Followers gained and lost per day; nothing without changes. */
export function FollowersPanel({ followers, timeZone }: { followers: Followers; timeZone: string }) {
  const { gained, lost, net } = followers;
  if (gained + lost === 0) return null;
  const points = followers.days.map((day) => ({
    key: day.at,
    name: pointName(day.at, 'DAY', timeZone, true),
    tick: pointName(day.at, 'DAY', timeZone, false),
    value: day.gained,
    below: day.lost,
  }));
  return (
    <Panel title={t`Followers`}>
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        {(
          [
            [t`Gained`, count(gained), 'text-sea'],
            [t`Lost`, count(lost), 'text-danger'],
            [t`Net change`, signed(net), ''],
          ] as const
        ).map(([label, value, colour]) => (
          <div key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className={`text-xl font-bold tabular-nums ${colour}`}>{value}</dd>
          </div>
        ))}
      </dl>
      <Chart
        label={t`Followers gained and lost`}
        points={points}
        kind="bars"
        whole
        formatTick={(value) => shortCount(Math.abs(value))}
        describe={describeDay}
        columns={[t`Day`, t`Followers`]}
      />
    </Panel>
  );
}

function describeDay({ value: gained, below: lost = 0 }: ChartPoint): string {
  return t`${count(gained)} gained, ${count(lost)} lost`;
}
