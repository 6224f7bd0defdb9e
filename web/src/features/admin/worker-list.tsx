import type { ServerWorkersFragment } from '../../gql/generated/operations.gen.ts';
import { ago } from '../../lib/format.ts';

/** Names of kinds of work in the background; others are shown as they are. */
const WORK: Readonly<Record<string, string>> = {
  'encode-chunk': 'Encoding',
  'process-video': 'Inspecting videos',
  'finish-video': 'Finishing videos',
  'make-playable': 'Making videos playable',
  'early-poster': 'Early posters',
  'poster-frame': 'Posters',
  'make-captions': 'Captions',
  'fetch-source': 'Fetching files',
  'send-mail': 'Mail',
  'export-data': 'Data exports',
  'publish-to-youtube': 'Publishing to YouTube',
  'watch-youtube-processing': 'Checking YouTube',
  'download-video': 'Downloading from YouTube',
  'import-poster': 'Importing posters',
};

const nameOf = (name: string): string => WORK[name] ?? name;

/** Workers with what they do, and what waits for them. */
export function WorkerList({ workers, queues }: ServerWorkersFragment) {
  return (
    <>
      {workers.length === 0 && <p className="text-muted">No worker has reported within the last minute.</p>}
      <ul className="divide-y divide-line empty:hidden">
        {workers.map(({ host, seenAt, sandbox, running }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: workers of one machine have no other name
          <li key={`${host} ${index}`} className="flex flex-wrap items-baseline gap-x-3 py-3">
            <p className="font-semibold [overflow-wrap:anywhere]">{host}</p>
            <p className="ml-auto text-sm text-muted">reported {ago(seenAt, Date.now())}</p>
            <p className="w-full text-sm text-muted">
              {running.length === 0
                ? 'Idle'
                : running.map(({ name, count }) => `${nameOf(name)}${count === 1 ? '' : ` ×${count}`}`).join(', ')}
              {sandbox !== 'COMPLETE' && ` · sandbox ${sandbox.toLowerCase()}`}
            </p>
          </li>
        ))}
      </ul>
      {queues.length > 0 && (
        <table className="w-full text-left text-sm">
          <caption className="sr-only">Work in the background</caption>
          <thead className="text-muted">
            <tr>
              <th className="py-1 font-medium">Work</th>
              <th className="py-1 text-right font-medium">Waiting</th>
              <th className="py-1 text-right font-medium">Running</th>
            </tr>
          </thead>
          <tbody>
            {queues.map(({ name, waiting, running }) => (
              <tr key={name}>
                <td className="py-1 [overflow-wrap:anywhere]">{nameOf(name)}</td>
                <td className="py-1 text-right tabular-nums">{waiting.toLocaleString('en')}</td>
                <td className="py-1 text-right tabular-nums">{running.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
