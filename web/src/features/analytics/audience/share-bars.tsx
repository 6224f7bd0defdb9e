import { useState } from 'react';
import type { SharesFragment } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { count, countryName, minutes, percent } from '../../../lib/numbers.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { METRICS } from '../metrics/metrics.ts';
import { Bar } from './traffic-panel.tsx';

type Share = SharesFragment['countries'][number];

const DEVICES: Readonly<Record<string, string>> = {
  DESKTOP: t`Computers`,
  MOBILE: t`Phones`,
  TABLET: t`Tablets`,
  TV: t`Televisions`,
  OTHER: t`Other devices`,
};

/** Countries and devices of the audience; nothing without views. */
export function Audience({ audience }: { audience: SharesFragment }) {
  if (audience.countries.length === 0) return null;
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Panel title={t`Countries`}>
        <ShareBars shares={audience.countries} name={countryName} />
      </Panel>
      <Panel title={t`Devices`}>
        <ShareBars shares={audience.devices} name={(key) => DEVICES[key] ?? key} />
      </Panel>
    </div>
  );
}

const FEW = 6;

function ShareBars({ shares, name }: { shares: readonly Share[]; name: (key: string) => string }) {
  const [all, setAll] = useState(false);
  const total = shares.length;
  const most = Math.max(...shares.map(({ share }) => share ?? 0));
  return (
    <>
      <ul className="space-y-3">
        {shares.slice(0, all ? undefined : FEW).map(({ key, views, share, watchMinutes }) => (
          <Bar key={key} name={name(key)} share={most === 0 ? 0 : (share ?? 0) / most}>
            {[share !== null && percent(share), METRICS.VIEWS.describe(views), minutes(watchMinutes)]
              .filter(Boolean)
              .join(' · ')}
          </Bar>
        ))}
      </ul>
      {!all && total > FEW && (
        <Button look="quiet" className="-ms-2.5 text-sm" onClick={() => setAll(true)}>
          {t`Show all ${count(total)}`}
        </Button>
      )}
    </>
  );
}
