import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { handwrittenFiles } from './handwritten-files.ts';

/** The parts of this repository that are installed as packages. */
const OWN = /(?:from|import)\s*\(?\s*'(@reelgraph\/[a-z0-9-]+)/g;

interface Manifest {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * Imports of our packages that the package.json of the importing one does not declare, one line each. They resolve
 * where all workspaces are installed, and not where users install one (`npm ci --workspace server`). Files of the root,
 * which is never installed without the workspaces, are free.
 */
export async function findUndeclaredPackages(root = '.'): Promise<string[]> {
  const manifests = new Map<string, Manifest>();
  const problems = new Set<string>();
  for await (const [file, text] of handwrittenFiles('ts,tsx,mjs', root)) {
    const path = manifestOf(file, root);
    if (path === null) continue;
    const manifest = manifests.get(path) ?? (JSON.parse(await readFile(join(root, path), 'utf8')) as Manifest);
    manifests.set(path, manifest);
    for (const [, name = ''] of text.matchAll(OWN))
      if (!declares(manifest, name)) problems.add(`${path}: declare ${name}, which ${file} imports`);
  }
  return [...problems].sort();
}

function declares({ name, dependencies = {}, devDependencies = {} }: Manifest, imported: string): boolean {
  return name === imported || imported in dependencies || imported in devDependencies;
}

/** The nearest package.json; null for that of the root. */
function manifestOf(file: string, root: string): string | null {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (existsSync(join(root, path))) return path;
  }
  return null;
}
