/**
 * `npm run release`: writes everything that a release of the platform consists of to build/release/<version>:
 *   reelgraph-<version>-linux-<processor>.tar.gz, .deb, .cdx.json (its bill of materials)
 *   packages of npm, the wheel of Python, THIRD-PARTY-LICENSES, NOTES.md, schema.graphql, SHA256SUMS
 * `-- --draft` also from changed files and before the changelog has a date, `--processor x64` for one processor,
 * `--image` builds the container image, too (`--base IMAGE` from another Debian 12, for example without a registry),
 * `--output FOLDER` writes elsewhere; the folder is emptied first.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDebianPackage } from './release/debian-package.ts';
import { buildImage, writeImageContext } from './release/image.ts';
import { refusedLicenses, type ThirdParty, thirdParties, thirdPartyText } from './release/licenses.ts';
import { releaseNotes } from './release/notes.ts';
import { billOfMaterials } from './release/sbom.ts';
import { ARCHITECTURES, type Architecture, stageProgram } from './release/staging.ts';

const { values } = parseArgs({
  options: {
    draft: { type: 'boolean', default: false },
    image: { type: 'boolean', default: false },
    base: { type: 'string' },
    output: { type: 'string' },
    processor: { type: 'string', multiple: true, default: [...ARCHITECTURES] },
  },
});
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const output = resolve(values.output ?? join('build/release', version));
const work = join(output, '.work');

checkState();
rmSync(output, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const [revision = '', created = ''] = git('log', '-1', '--format=%H%n%cI').split('\n');
step('web application');
run(process.execPath, 'web/build.ts', join(work, 'web'));
let all: ThirdParty[] = [];
for (const processor of architectures()) all = [...all, ...releaseFor(processor)];
writeFileSync(join(output, 'THIRD-PARTY-LICENSES'), thirdPartyText(uniqueOf(all)));
step('packages of npm and the wheel');
packClients();
writeFileSync(join(output, 'NOTES.md'), `# Reelgraph ${version}\n\n${releaseNotes(changelog(), version).text}\n`);
cpSync('schema.graphql', join(output, 'schema.graphql'));
cpSync('LICENSE', join(output, 'LICENSE'));
rmSync(work, { recursive: true });
writeChecksums();
console.log(`${globSync('*', { cwd: output }).sort().join('\n')}\n\nin ${output}, of ${revision}`);
console.log(
  `License: ${/^No license has been granted\.$/m.exec(readFileSync('LICENSE', 'utf8'))?.[0] ?? 'see LICENSE'}`,
);

/** A release is a commit, with a date in the changelog and a database for the tests of upgrades. */
function checkState(): void {
  const problems: string[] = [];
  if (git('status', '--porcelain') !== '') problems.push('There are changes that are not committed.');
  if (releaseNotes(changelog(), version).releasedOn === null) problems.push(`${version} has no date in CHANGELOG.md.`);
  if (!readdirSync('server/migrations/releases').includes(`${version}.sql`))
    problems.push(`npm run snapshot-database has not written server/migrations/releases/${version}.sql.`);
  const [released] = git('tag', '--list', `v${version}`).split('\n');
  if (released && git('rev-list', '-n', '1', released) !== git('rev-parse', 'HEAD'))
    problems.push(`${released} is another commit: raise the version.`);
  if (problems.length === 0 || values.draft) return;
  console.error(`${problems.join('\n')}\nMend that, or add -- --draft.`);
  process.exit(1);
}

function architectures(): Architecture[] {
  const wrong = values.processor.filter((name) => !ARCHITECTURES.includes(name as Architecture));
  if (wrong.length > 0) throw new Error(`--processor ${wrong[0]}: one of ${ARCHITECTURES.join(', ')}`);
  return values.processor as Architecture[];
}

/** What there is of a release for each processor; the software of others in it. */
function releaseFor(architecture: Architecture): ThirdParty[] {
  const name = `reelgraph-${version}-linux-${architecture}`;
  const program = join(work, name);
  step(`program for ${architecture}`);
  mkdirSync(program);
  stageProgram(program, architecture, join(work, 'web'));
  const packages = thirdParties(program);
  const refused = refusedLicenses(packages);
  if (refused.length > 0) throw new Error(refused.join('\n'));
  writeFileSync(join(program, 'THIRD-PARTY-LICENSES'), thirdPartyText(packages));
  writeFileSync(join(output, `${name}.cdx.json`), billOfMaterials({ version, created, packages, debian: [] }));
  step(`archive and package of Debian for ${architecture}`);
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=${created}`];
  run('tar', ...same, '-czf', join(output, `${name}.tar.gz`), '-C', work, name);
  buildDebianPackage(program, { architecture, version, output });
  if (values.image) {
    step(`image for ${architecture}`);
    const context = join(work, `image-${architecture}`);
    writeImageContext(program, context);
    const base = values.base === undefined ? {} : { base: values.base };
    console.error(buildImage(context, { architecture, version, revision, created, ...base }));
  }
  return packages;
}

function packClients(): void {
  run(process.execPath, 'scripts/build-packages.ts');
  const built = globSync('packages/*/dist');
  for (const folder of ['clients/typescript', 'clients/player', 'cli', ...built])
    execFileSync('npm', ['pack', '--pack-destination', output], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  run(process.execPath, 'scripts/build-python.ts');
  for (const wheel of globSync('clients/python/dist/*.whl')) renameSync(wheel, join(output, basename(wheel)));
}

function writeChecksums(): void {
  const lines = readdirSync(output)
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(output, file)))
          .digest('hex')}  ${file}\n`,
    );
  writeFileSync(join(output, 'SHA256SUMS'), lines.join(''));
}

function uniqueOf(packages: readonly ThirdParty[]): ThirdParty[] {
  return [...new Map(packages.map((each) => [`${each.name}@${each.version}`, each])).values()];
}

function changelog(): string {
  return readFileSync('CHANGELOG.md', 'utf8');
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 2, 2] });
}

function step(name: string): void {
  console.error(`── ${name}`);
}
