import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const PACKAGES = join(ROOT, 'packages');
const names = readdirSync(PACKAGES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);

const folder = mkdtempSync(join(tmpdir(), 'reelgraph-libraries-'));
const project = join(folder, 'project');
const exec = promisify(execFile);

/** The section "Example" of a README: commands that make its input, its program, and what that prints. */
function exampleOf(name: string): { commands: string; program: string; output: string } {
  const text = readFileSync(join(PACKAGES, name, 'README.md'), 'utf8');
  const section = /\n## Example\n(.*?)(?=\n## |$)/s.exec(text)?.[1] ?? '';
  const block = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section)?.[1] ?? '';
  return { commands: block('sh'), program: block('ts'), output: block('text') };
}

before(async () => {
  mkdirSync(project);
  await exec(process.execPath, ['scripts/build-packages.ts'], { cwd: ROOT });
  for (const name of names)
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(PACKAGES, name, 'dist') });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', type: 'module', private: true }));
  const packed = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  assert.equal(packed.length, names.length);
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  // The install script of ONNX Runtime would download libraries for GPUs.
  writeFileSync(join(project, '.npmrc'), 'onnxruntime-node-install=skip\n');
  execFileSync('npm', ['install', ...options, ...packed.map((file) => join(folder, file))], { cwd: project });
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe('a library, packed and installed in an empty project', () => {
  for (const name of names)
    it(`runs the example of its README: ${name}`, async () => {
      const { commands, program, output } = exampleOf(name);
      assert.notEqual(program, '');
      assert.notEqual(output, '');
      if (commands !== '') execFileSync('bash', ['-ec', commands], { cwd: project });
      writeFileSync(join(project, `${name}.ts`), program);
      const { stdout } = await exec(process.execPath, [`${name}.ts`], { cwd: project });
      assert.equal(stdout, output);
    });

  it('has JavaScript and types, and no tests', () => {
    for (const name of names) {
      const files = readdirSync(join(project, 'node_modules/@reelgraph', name), { recursive: true }).map(String);
      assert.ok(files.includes('index.js') && files.includes('index.d.ts') && files.includes('README.md'), name);
      assert.deepEqual(
        files.filter((file) => /\.test\.|\.fixture\.|(?<!\.d)\.ts$/.test(file)),
        [],
      );
    }
  });
});
