/**
 * `npm run build:packages`: builds each library of packages/ into its folder `dist`, as it is published: JavaScript,
 * types, README and a package.json for it. `-- NAME…` builds only these. Inside this repository libraries are imported
 * from their sources, because Node runs them without a build.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '../packages');

interface Manifest {
  readonly name: string;
  readonly exports: string | Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

const named = process.argv.slice(2);
const all = readdirSync(PACKAGES).filter((name) => existsSync(join(PACKAGES, name, 'package.json')));
for (const name of named.length > 0 ? named : all) {
  const folder = join(PACKAGES, name);
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder], { stdio: 'inherit' });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`);
  cpSync(join(folder, 'README.md'), join(dist, 'README.md'));
  for (const file of globSync('**/*.{sh,onnx}', { cwd: join(folder, 'src') }))
    cpSync(join(folder, 'src', file), join(dist, file));
  console.log(`packages/${name}/dist`);
}

/** The manifest of the build: entry points in JavaScript, and nothing that only the repository needs. */
function published({ private: _, devDependencies: __, ...manifest }: Manifest): object {
  const entries = typeof manifest.exports === 'string' ? { '.': manifest.exports } : manifest.exports;
  const built = (source: string, extension: string) => source.replace('./src/', './').replace(/\.ts$/, extension);
  const exports = Object.fromEntries(
    Object.entries(entries).map(([path, source]) => [
      path,
      { types: built(source, '.d.ts'), default: built(source, '.js') },
    ]),
  );
  return { ...manifest, sideEffects: false, engines: { node: '>=22' }, exports };
}
