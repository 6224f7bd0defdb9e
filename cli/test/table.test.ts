import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findCommand } from '../src/arguments.ts';
import { COMMON_OPTIONS } from '../src/command.ts';
import { COMMANDS } from '../src/commands.ts';
import { completionScript, SHELLS } from '../src/completion.ts';
import { EXIT_MEANINGS } from '../src/failures.ts';
import { commandHelp, overview } from '../src/help.ts';
import { VERSION } from '../src/version.ts';

/** What bash would offer for the last of these words, in a folder that holds this one file. */
function offered(...words: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-completion-'));
  writeFileSync(join(folder, 'a film [1].mp4'), '');
  try {
    return offeredIn(folder, words);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function offeredIn(cwd: string, words: readonly string[]): string[] {
  const script = completionScript('bash', COMMANDS);
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `${script}\nCOMP_WORDS=(reelgraph ${line}); COMP_CWORD=${words.length}; _reelgraph; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', ask], { encoding: 'utf8', cwd });
  assert.equal(status, 0, stderr);
  return stdout.split('\n').filter(Boolean);
}

describe('help', () => {
  test('the overview lists every command, every common option and every exit code', () => {
    const text = overview(COMMANDS);
    for (const { name, about } of COMMANDS) assert.ok(text.includes(`  ${name} `) && text.includes(about), name);
    for (const { name } of COMMON_OPTIONS) assert.ok(text.includes(`--${name}`), name);
    for (const [code, meaning] of EXIT_MEANINGS) assert.match(text, new RegExp(`^  ${code} +${meaning}$`, 'm'));
  });

  for (const command of COMMANDS) {
    test(`${command.name} mentions each of its options and operands once`, () => {
      const text = commandHelp(command);
      for (const { name, about } of [...command.options, ...COMMON_OPTIONS]) {
        assert.equal(text.match(new RegExp(`--${name}\\b.*${about.slice(0, 10)}`, 'g'))?.length, 1, name);
      }
      for (const { name, about } of command.operands) assert.ok(text.includes(`  ${name}`) && text.includes(about), name);
      assert.ok(command.examples.length > 0);
    });
  }
});

describe('completion', () => {
  test('bash takes the script, and offers commands, second words, options and values', () => {
    const checked = spawnSync('bash', ['-n'], { input: completionScript('bash', COMMANDS), encoding: 'utf8' });
    assert.equal(checked.status, 0, checked.stderr);
    assert.deepEqual(offered('who'), ['whoami']);
    assert.deepEqual(offered('content', 'p'), ['publish']);
    assert.deepEqual(offered('content', 'list', '--tr'), ['--trash']);
    assert.deepEqual(offered('content', 'list', '--kind', 'S'), ['SHORT', 'SERIE', 'SEASON', 'STREAM']);
    assert.deepEqual(offered('completion', 'b'), ['bash']);
    assert.deepEqual(offered('upload', 'a'), ['a film [1].mp4']);
  });

  for (const shell of SHELLS) {
    test(`${shell} is told every command and every option`, () => {
      const script = completionScript(shell, COMMANDS);
      for (const { name, options } of COMMANDS) {
        for (const word of name.split(' ')) assert.ok(script.includes(word), name);
        for (const option of options) assert.ok(script.includes(shell === 'fish' ? `-l ${option.name}` : `--${option.name}`), option.name);
      }
    });
  }
});

test('options of all commands may stand before the name, with and without a value', () => {
  const read = (...line: string[]) => {
    const { command, rest } = findCommand(COMMANDS, line);
    return [command.name, ...rest];
  };
  assert.deepEqual(read('--json', 'whoami'), ['whoami', '--json']);
  assert.deepEqual(read('--url', 'http://localhost:4000', '-q', 'content', 'list', '--trash'), [
    'content list',
    '--url',
    'http://localhost:4000',
    '-q',
    '--trash',
  ]);
  assert.deepEqual(read('--url=http://localhost:4000', 'content', 'list'), ['content list', '--url=http://localhost:4000']);
  assert.throws(() => read('--url'), { message: 'There is no command on the line.' });
  assert.throws(() => read('--json', 'whomai'), { message: 'There is no command `whomai`.' });
});

test('the version is the one of the package', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
  assert.equal(VERSION, version);
});
