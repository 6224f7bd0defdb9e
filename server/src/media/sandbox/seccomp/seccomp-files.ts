import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSeccompArchitecture, seccompFilter } from './seccomp.ts';

/** The filters of this machine's architecture, as anonymous files. */
export interface SeccompFilters {
  /** A descriptor of the filter, at its beginning; the caller closes it. */
  open(network: boolean): number;
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
    const keep = (name: string, network: boolean) => {
      const path = join(folder, name);
      writeFileSync(path, seccompFilter({ architecture: arch, network }), { mode: 0o600 });
      return openSync(path, 'r');
    };
    const [media, fetch] = [keep('media', false), keep('fetch', true)];
    // Reopened each time: the first reader would move the position of a shared descriptor.
    return { open: (network) => openSync(`/proc/self/fd/${network ? fetch : media}`, 'r') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
