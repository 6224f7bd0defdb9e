import type { ServerWorkersFragment } from '../../gql/generated/operations.gen.ts';
import { ago } from '../../lib/format.ts';
import { formatLocale, locale, t } from '../../lib/i18n.ts';

/** Names of kinds of work in the background; others are shown as they are. */
const WORK: Readonly<Record<string, string>> = {
  'encode-chunk': t`Encoding`,
  'process-video': t`Inspecting videos`,
  'finish-video': t`Finishing videos`,
  'make-playable': t`Making videos playable`,
  'early-poster': t`Early posters`,
  'poster-frame': t`Posters`,
  'make-captions': t`Captions`,
  'fetch-source': t`Fetching files`,
  'send-mail': t`Mail`,
  'export-data': t`Data exports`,
  'publish-to-youtube': t`Publishing to YouTube`,
  'watch-youtube-processing': t`Checking YouTube`,
  'download-video': t`Downloading from YouTube`,
  'import-poster': t`Importing posters`,
};

const nameOf = (name: string): string => WORK[name] ?? name;

/** What a worker does, and how often at the same time. */
const workOf = ({ name, count }: { readonly name: string; readonly count: number }): string =>
  count === 1 ? nameOf(name) : `${nameOf(name)} ×${count.toLocaleString(formatLocale)}`;

const list = new Intl.ListFormat(locale, { style: 'narrow' });

/** What to say of the sandbox of a worker; nothing where it is complete. */
const SANDBOXES: Readonly<Record<ServerWorkersFragment['workers'][number]['sandbox'], string | null>> = {
  COMPLETE: null,
  INCOMPLETE: t`sandbox incomplete`,
  REFUSING: t`sandbox refusing`,
};

/** Workers with what they do, and what waits for them. */
export function WorkerList({ workers, queues }: ServerWorkersFragment) {
  return (
    <>
      {workers.length === 0 && <p className="text-muted">{t`No worker has reported within the last minute.`}</p>}
      <ul className="divide-y divide-line empty:hidden">
        {workers.map(({ host, seenAt, sandbox, running }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: workers of one machine have no other name
          <li key={`${host} ${index}`} className="flex flex-wrap items-baseline gap-x-3 py-3">
            <p className="font-semibold [overflow-wrap:anywhere]">{host}</p>
            <p className="ms-auto text-sm text-muted">{t`reported ${ago(seenAt, Date.now())}`}</p>
            <p className="w-full text-sm text-muted">
              {[running.length === 0 ? t`Idle` : list.format(running.map(workOf)), SANDBOXES[sandbox]]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
      {queues.length > 0 && (
        <table className="w-full text-sm">
          <caption className="sr-only">{t`Work in the background`}</caption>
          <thead className="text-muted">
            <tr>
              <th className="py-1 text-start font-medium">{t`Work`}</th>
              <th className="py-1 text-end font-medium">{t`Waiting`}</th>
              <th className="py-1 text-end font-medium">{t`Running`}</th>
            </tr>
          </thead>
          <tbody>
            {queues.map(({ name, waiting, running }) => (
              <tr key={name}>
                <td className="py-1 [overflow-wrap:anywhere]">{nameOf(name)}</td>
                <td className="py-1 text-end tabular-nums">{waiting.toLocaleString(formatLocale)}</td>
                <td className="py-1 text-end tabular-nums">{running.toLocaleString(formatLocale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
