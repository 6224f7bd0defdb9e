import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writePythonClient } from './gen/python/write-python.ts';
import { PYTHON } from './prerequisites.mjs';

const PACKAGE = join(import.meta.dirname, '../clients/python');
/** With what is installed, whatever an index has. */
const OFFLINE = ['--quiet', '--no-deps', '--no-index', '--no-build-isolation'];

/** Builds the wheel of the Python client in `folder`. Needs pip, setuptools and wheel, and no network. */
export async function buildWheel(folder: string): Promise<void> {
  await writePythonClient();
  // Outside of the sources: building writes beside them.
  const sources = await mkdtemp(join(tmpdir(), 'reelgraph-wheel-'));
  try {
    for (const name of ['pyproject.toml', 'README.md', 'src'])
      await cp(join(PACKAGE, name), join(sources, name), { recursive: true });
    await mkdir(folder, { recursive: true });
    await promisify(execFile)(PYTHON, ['-m', 'pip', 'wheel', ...OFFLINE, '-w', folder, sources]);
  } finally {
    await rm(sources, { recursive: true, force: true });
  }
}
