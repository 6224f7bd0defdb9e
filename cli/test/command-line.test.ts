import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { completionScript, SHELLS } from '../src/completion.ts';
import { commandPath, leafCommands, program } from '../src/program.ts';
import { CliUser } from './run-cli.fixture.ts';

const COMMANDS = [
  ['login', 'logout', 'whoami', 'upload'],
  ['content list', 'content show', 'content update', 'content publish', 'content unpublish'],
  ['content delete', 'content restore', 'content purge', 'content like', 'content unlike'],
  ['content upmix', 'content upscale', 'content transcribe', 'content forecast', 'content test'],
  ['job list', 'job show', 'job watch', 'job cancel'],
  ['live list', 'live show', 'live create', 'live set-srt', 'live rotate-key'],
  ['live schedule', 'live scheduled', 'live reschedule', 'live cancel', 'live start', 'live end'],
  ['live chat', 'live say', 'live targets', 'live add-target', 'live update-target', 'live delete-target'],
  ['live delete'],
  ['captions list', 'captions add', 'captions delete', 'captions translate'],
  ['playlist list', 'playlist show', 'playlist create', 'playlist update', 'playlist delete', 'playlist move'],
  ['playlist add', 'playlist remove'],
  ['series list', 'series show', 'series create', 'series add-season', 'series add-episode', 'series move'],
  ['series order', 'series publish'],
  ['channel list', 'channel show', 'channel create', 'channel update', 'channel transfer', 'channel delete'],
  ['channel members', 'channel invite', 'channel set-role', 'channel remove-member'],
  ['channel follow', 'channel unfollow'],
  ['comment list', 'comment show', 'comment add', 'comment reply', 'comment edit', 'comment delete', 'comment mode'],
  ['comment pin', 'comment unpin', 'comment heart', 'comment unheart', 'comment like', 'comment unlike'],
  ['moderation held', 'moderation approve', 'moderation reject', 'moderation hold'],
  ['moderation reports', 'moderation resolve', 'moderation dismiss', 'moderation report'],
  ['moderation blocked', 'moderation block', 'moderation unblock'],
  ['moderation settings', 'moderation block-word', 'moderation unblock-word'],
  ['webhook list', 'webhook show', 'webhook create', 'webhook update', 'webhook rotate-secret', 'webhook delete'],
  ['webhook test', 'webhook deliveries', 'webhook redeliver', 'webhook replay', 'webhook listen'],
  ['share list', 'share add', 'share remove', 'share create-link', 'share delete-link'],
  ['signing-key list', 'signing-key create', 'signing-key delete'],
  ['token list', 'token create', 'token revoke'],
  ['search', 'analytics', 'events', 'query', 'export', 'doctor', 'completion', 'help'],
].flat();

let folder = '';
let user: CliUser;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'reelgraph-cli-'));
  user = new CliUser(folder);
});
after(() => rmSync(folder, { recursive: true }));

describe('help', () => {
  test('the overview lists every command, the options of all commands and every exit code', async () => {
    const { code, out } = await user.run();
    assert.equal(code, 0);
    for (const name of COMMANDS) assert.match(out, new RegExp(`^  ${name} +\\w`, 'm'), name);
    for (const option of ['--json', '-q, --quiet', '--url <ADDRESS>', '-h, --help', '--version'])
      assert.ok(out.includes(option), option);
    for (const status of [0, 1, 2, 3, 4, 5, 6, 7, 8, 130]) assert.match(out, new RegExp(`^  ${status} +\\w`, 'm'));
    assert.deepEqual(leafCommands(program).map(commandPath), COMMANDS, 'no command is missing here');
  });

  test('of a command shows its arguments, options and examples', async () => {
    const expected = `Usage: reelgraph playlist create [options] <TITLE>

Create an empty playlist

Arguments:
  TITLE                      Its title

Options:
  -c, --channel <CHANNEL>    Handle or identifier of a channel (default: your
                             own)
  --summary <TEXT>           Description
  --visibility <VISIBILITY>  Who can find it (choices: "PUBLIC", "UNLISTED",
                             "PRIVATE")
  -h, --help                 Show this help

Global Options:
  --version                  Show the version
  --json                     Print one JSON document, or one line of JSON per
                             event
  -q, --quiet                Print the result only: no progress, no notes
  --url <ADDRESS>            The platform, instead of REELGRAPH_URL and the one
                             of \`reelgraph login\`

Examples:
  reelgraph playlist create "Best of the year" --visibility UNLISTED
`;
    for (const line of [
      ['help', 'playlist', 'create'],
      ['playlist', 'create', '--help'],
      ['--json', 'playlist', 'create', '-h'],
    ]) {
      assert.deepEqual(await user.run(...line), { code: 0, out: expected, err: '' });
    }
  });

  for (const command of leafCommands(program)) {
    test(`${commandPath(command)} has a summary and examples that start with it`, () => {
      assert.match(command.summary() || command.description(), /^[A-Z][^.]+$/);
      let text = '';
      command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
      const examples = text.split('\nExamples:\n')[1]?.trim().split('\n') ?? [];
      assert.ok(examples.length > 0);
      for (const example of examples) assert.ok(example.includes(`reelgraph ${commandPath(command)}`), example);
    });
  }
});

describe('an invalid command line', () => {
  for (const [line, error] of [
    [['whomai'], "Unknown command 'whomai'.\ntry: Did you mean `reelgraph whoami`?"],
    [['content', 'lst'], "Unknown command 'content lst'.\ntry: Did you mean `reelgraph content list`?"],
    [['help', 'content', 'lost'], "Unknown command 'content lost'.\ntry: Did you mean `reelgraph content list`?"],
    [['upload', 'x.mp4', '--sumary', 'x'], "Unknown option '--sumary'.\ntry: Did you mean --summary?"],
    [['whoami', '--colour'], "Unknown option '--colour'.\ntry: Add --help to see what the command takes."],
    [['whoami', 'me'], /^error: Too many arguments for 'whoami'\. /],
    [['content', 'show'], /^error: Missing required argument 'CONTENT'\.\n/],
    [['captions', 'add', 'did:x', 'x.vtt'], /^error: Required option '-l, --language <LANGUAGE>' not specified\.\n/],
    [['content', 'list', '--limit', '0'], /^error: .*--limit.* Expected a whole number from 1 to 100000\.\n/],
    [['content', 'list', '--kind', 'SONG'], /^error: .*--kind.* Allowed choices are FEATURE, SHORT, .*\n/],
    [
      ['content', 'list', '--kind', 'shrot'],
      /^error: .*--kind.* Allowed choices are .*\.\ntry: Did you mean SHORT\?\n$/,
    ],
    [['completion', 'bahs'], /^error: .*Allowed choices are bash, zsh, fish\.\ntry: Did you mean bash\?\n$/],
    [
      ['content', 'publish', 'did:x', '--release', 'soon'],
      /^error: .*--release.* Expected a date and time such as .*\n/,
    ],
    [['content'], /^Usage: reelgraph content \[options\] \[command\]\n[\s\S]*\n {2}content restore /],
  ] as const) {
    test(line.join(' '), async () => {
      const { code, out, err } = await user.run(...line);
      assert.deepEqual([code, out], [2, '']);
      if (typeof error === 'string') assert.equal(err, `error: ${error}\n`);
      else assert.match(err, error);
    });
  }

  test('is one line of JSON with --json', async () => {
    for (const [line, message] of [
      [['--json', 'whomai'], "Unknown command 'whomai'."],
      [['content', '--json'], 'A command is missing.'],
    ] as const) {
      const { code, err } = await user.run(...line);
      const { error } = JSON.parse(err);
      assert.deepEqual([code, error.exitCode, error.message], [2, 2, message]);
    }
  });
});

test('choices are read in any case, with hyphens for underscores', async () => {
  for (const line of [
    ['content', 'list', '--kind', 'short', 'Feature'],
    ['analytics', '--range', 'last-7d'],
  ]) {
    const { code, err } = await user.run(...line, '--url', 'http://127.0.0.1:9');
    assert.deepEqual([code, err.split('\n')[0]], [3, 'error: No API key for http://127.0.0.1:9.'], line.join(' '));
  }
});

test('options of all commands are read before and after the command, with and without a value', async () => {
  for (const line of [
    ['--json', '--url', 'http://127.0.0.1:9', 'content', 'list', '--trash'],
    ['--url=http://127.0.0.1:9', 'content', '--json', 'list'],
    ['content', 'list', '--url', 'http://127.0.0.1:9', '-q', '--json'],
  ]) {
    const { code, err } = await user.run(...line);
    assert.deepEqual([code, JSON.parse(err).error.message], [3, 'No API key for http://127.0.0.1:9.'], line.join(' '));
  }
});

test('the commands in the documentation exist, with the options they are shown with', () => {
  const root = join(import.meta.dirname, '..', '..');
  const files = globSync(['README.md', 'cli/README.md', 'docs/{guides,.}/*.md'], { cwd: root });
  const shown = files.flatMap((file) =>
    Array.from(
      readFileSync(join(root, file), 'utf8').matchAll(/(?:^|`)reelgraph ([a-z][^`\n#|;)]*)/gm),
      ([, line = '']) => line,
    ),
  );
  assert.ok(shown.length >= 20, `${shown.length} command lines`);
  for (const line of shown) {
    const words = line.trim().split(/\s+/);
    const command = leafCommands(program).find((each) => `${line.trim()} `.startsWith(`${commandPath(each)} `));
    assert.ok(command || program.commands.some((each) => each.name() === words[0] && words.length === 1), line);
    const known = [...(command?.options ?? []), ...program.options].flatMap(({ long, short }) => [long, short]);
    for (const word of words.filter((each) => /^--?[a-z]/.test(each)))
      assert.ok(known.includes(word.split('=')[0]), line);
  }
});

describe('completion', () => {
  /** bash completions for the last of these words, in a folder with one file. */
  function offered(...words: readonly string[]): string[] {
    const line = words.map((word) => `'${word}'`).join(' ');
    const complete =
      `COMP_WORDS=(reelgraph ${line}); COMP_CWORD=${words.length}; ` + `_reelgraph; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const script = `${completionScript('bash', program)}\n${complete}`;
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', cwd: folder });
    assert.equal(status, 0, stderr);
    return stdout.split('\n').filter(Boolean);
  }

  test('bash offers commands, second words, options, values and files', () => {
    writeFileSync(join(folder, 'a video [1].mp4'), '');
    assert.deepEqual(offered('who'), ['whoami']);
    assert.deepEqual(offered('content', 'pub'), ['publish']);
    assert.deepEqual(offered('content', 'list', '--tr'), ['--trash']);
    assert.deepEqual(offered('content', 'list', '--j'), ['--json']);
    assert.deepEqual(offered('content', 'list', '--kind', 'S'), ['SHORT', 'SERIES', 'SEASON', 'STREAM']);
    assert.deepEqual(offered('completion', 'b'), ['bash']);
    assert.deepEqual(offered('upload', 'a'), ['a video [1].mp4']);
    assert.deepEqual(offered('query', '--variables', 'a'), ['a video [1].mp4']);
    assert.deepEqual(offered('webhook', 'create', '--event', 'comment.u'), ['comment.updated']);
    assert.deepEqual(offered('whoami', 'a'), []);
  });

  for (const shell of SHELLS) {
    test(`the script for ${shell} has every command and option`, () => {
      const script = completionScript(shell, program);
      for (const command of leafCommands(program)) {
        for (const word of commandPath(command).split(' ')) assert.ok(script.includes(word), word);
        for (const { long } of command.options)
          assert.ok(script.includes(shell === 'fish' ? `-l ${long?.slice(2)}` : `${long}`), long);
      }
    });
  }
});
