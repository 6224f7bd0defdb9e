import type { StoredBytesPartsFragment } from '../../gql/generated/operations.gen.ts';
import { byteSize } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';

const PARTS = [
  ['originalBytes', t`Originals`, 'bg-accent'],
  ['derivedBytes', t`Streams and downloads`, 'bg-sea'],
  ['otherBytes', t`Images and uploads`, 'bg-line-strong'],
] as const;

/** What is stored, by parts of a bar, relative to `most` bytes. */
export function StorageBar({ stored, most }: { readonly stored: StoredBytesPartsFragment; readonly most: number }) {
  return (
    <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-full bg-raised">
      {PARTS.map(([part, , color]) => (
        <div key={part} className={color} style={{ width: `${most > 0 ? (stored[part] / most) * 100 : 0}%` }} />
      ))}
    </div>
  );
}

/** The same as text, with the colors of the bar where `legend` is set. */
export function StorageParts({ stored, legend = false }: { stored: StoredBytesPartsFragment; legend?: boolean }) {
  return (
    <ul className="flex flex-wrap gap-x-4 text-sm text-muted">
      {PARTS.filter(([part]) => legend || stored[part] > 0).map(([part, label, color]) => (
        <li key={part} className="flex items-center gap-1.5">
          {legend && <span className={`size-2.5 rounded-full ${color}`} />}
          {label}: {byteSize(stored[part])}
        </li>
      ))}
    </ul>
  );
}
