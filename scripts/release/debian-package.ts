import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Architecture } from './staging.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEMPLATES = join(ROOT, 'deploy/deb');
const SCRIPTS = ['postinst', 'prerm', 'postrm'];
/** Debian's names of processors. */
export const DEBIAN_ARCHITECTURES: Readonly<Record<Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Builds the package of Debian from a staged program (staging.ts) and returns its path in `output`. Everything in it
 * belongs to root; `dpkg-deb` is all that is needed.
 */
export function buildDebianPackage(
  program: string,
  options: { readonly architecture: Architecture; readonly version: string; readonly output: string },
): string {
  const { architecture, version, output } = options;
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-deb-'));
  try {
    layOut(folder, program);
    const processor = DEBIAN_ARCHITECTURES[architecture];
    writeControl(folder, { VERSION: version, ARCHITECTURE: processor, INSTALLED_SIZE: String(kibibytes(folder)) });
    const path = join(output, `reelgraph_${version}_${processor}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z10', '--build', folder, path], { stdio: 'ignore' });
    return path;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The files, below the root of the machine. */
function layOut(folder: string, program: string): void {
  chmodSync(folder, 0o755);
  cpSync(program, join(folder, 'opt/reelgraph'), { recursive: true, verbatimSymlinks: true });
  install(folder, 'usr/bin/reelgraph-admin', readFileSync(join(TEMPLATES, 'reelgraph-admin')), 0o755);
  for (const unit of globSync('*.service', { cwd: join(ROOT, 'deploy/systemd') }))
    install(folder, join('lib/systemd/system', unit), readFileSync(join(ROOT, 'deploy/systemd', unit)));
  install(folder, 'etc/reelgraph/reelgraph.env', readFileSync(join(TEMPLATES, 'reelgraph.env')), 0o640);
  install(folder, 'usr/share/doc/reelgraph/copyright', readFileSync(join(ROOT, 'LICENSE')));
  install(folder, 'usr/share/doc/reelgraph/changelog.gz', gzipSync(readFileSync(join(ROOT, 'CHANGELOG.md'))));
}

function install(folder: string, name: string, bytes: Buffer, mode = 0o644): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  chmodSync(path, mode);
}

function writeControl(folder: string, values: Readonly<Record<string, string>>): void {
  const control = readFileSync(join(TEMPLATES, 'control'), 'utf8');
  const filled = control.replace(/@([A-Z_]+)@/g, (_, name: string) => values[name] ?? '');
  install(folder, 'DEBIAN/control', Buffer.from(filled));
  install(folder, 'DEBIAN/conffiles', readFileSync(join(TEMPLATES, 'conffiles')));
  for (const name of SCRIPTS) install(folder, join('DEBIAN', name), readFileSync(join(TEMPLATES, name)), 0o755);
}

function kibibytes(folder: string): number {
  const files = globSync('**/*', { cwd: folder }).map((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false }),
  );
  return Math.ceil(files.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0) / 1024);
}
