import type { ServerPart, ServerStatusResult } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Icon } from '../../ui/icons.tsx';

type Check = ServerStatusResult['serverStatus']['checks'][number];

const PARTS: Readonly<Record<ServerPart, string>> = {
  DATABASE: t`Database`,
  OBJECT_STORE: t`File storage`,
  DISK_SPACE: t`Storage space`,
  WORKERS: t`Workers`,
  SANDBOX: t`Sandbox`,
  MAIL: t`Mail`,
};
const STATES = {
  OK: ['check', 'text-sea', t`OK`],
  WARNING: ['warning', 'text-accent-text', t`Warning`],
  ERROR: ['warning', 'text-danger', t`Error`],
} as const;

/** The state of each part of the server, and what to do. */
export function HealthList({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <ul className="divide-y divide-line">
      {checks.map(({ part, state, message, fix }) => {
        const [icon, color, label] = STATES[state];
        return (
          <li key={part} className="flex gap-3 py-3">
            <Icon name={icon} className={`mt-0.5 size-5 shrink-0 ${color}`} />
            <div className="min-w-0 sm:grid sm:grow sm:grid-cols-[10rem_1fr] sm:gap-4">
              <p className="font-semibold">
                {PARTS[part]} <span className="sr-only">: {label}</span>
              </p>
              <div className="[overflow-wrap:anywhere]">
                <p dir="auto" className={state === 'OK' ? 'text-muted' : ''}>
                  {message}
                </p>
                {fix !== null && (
                  <p dir="auto" className="text-sm text-muted">
                    {fix}
                  </p>
                )}
              </div>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
