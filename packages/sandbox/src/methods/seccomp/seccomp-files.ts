import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSeccompArchitecture, seccompFilter } from './seccomp.ts';

/** What each filter is for. */
const FILTERS = {
  media: { network: false, devices: false },
  devices: { network: false, devices: true },
  fetch: { network: true, devices: false },
} as const;
export type FilterName = keyof typeof FILTERS;

/** The filters of this machine's architecture, as anonymous files. */
export interface SeccompFilters {
  /** A descriptor of the filter, at its beginning; the caller closes it. */
  open(name: FilterName): number;
}

let opened: SeccompFilters | null = null;

/** The same for all of this process, for it stays open. Null on architectures that have no filter. */
export function openFilters(): SeccompFilters | null {
  opened ??= makeFilters();
  return opened;
}

function makeFilters(): SeccompFilters | null {
  const { arch } = process;
  if (!isSeccompArchitecture(arch)) return null;
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-seccomp-'));
  try {
    const keep = (name: FilterName) => {
      const path = join(folder, name);
      writeFileSync(path, seccompFilter({ architecture: arch, ...FILTERS[name] }), { mode: 0o600 });
      return openSync(path, 'r');
    };
    const kept = { media: keep('media'), devices: keep('devices'), fetch: keep('fetch') };
    // Reopened each time: the first reader would move the position of a shared descriptor.
    return { open: (name) => openSync(`/proc/self/fd/${kept[name]}`, 'r') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
