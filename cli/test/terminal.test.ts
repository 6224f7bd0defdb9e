import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { makePaddedClip } from '../../e2e/support/clips.ts';
import { casesOf, THOROUGH } from '../../scripts/test-runner/cases.ts';
import { until } from '../../server/src/testing/until.ts';
import { CliUser, type Running } from './run-cli.fixture.ts';

/** What only a terminal shows: a real pseudo-terminal with input typed into it. */
const platform = sharedTestPlatform();
let person: CliUser;
let clip = '';
before(async () => {
  person = new CliUser(join(platform.folder, 'someone'), { REELGRAPH_URL: platform.url, REELGRAPH_KEY: platform.key });
  clip = makePaddedClip(platform.folder, 'a quiet clip with a rather long name.mp4');
});

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** Waits until the text is on the screen. */
async function shows(running: Running, text: string): Promise<void> {
  await until(
    () => running.output().out.includes(text),
    () => `${text} is not shown: ${running.output().out}`,
  );
}

/** What was drawn on a line that is drawn again and again, one text each time, without colours. */
function drawn(out: string): string[] {
  return out.split('\r\u001b[K').slice(1).map(stripVTControlCharacters);
}

describe('the question for a key', () => {
  const asked = async (name: string): Promise<[CliUser, Running]> => {
    const someone = new CliUser(join(platform.folder, name));
    const running = someone.startOnTerminal(80, ['login']);
    await shows(running, 'Address of the platform: ');
    running.child.stdin.write(`${platform.url}\r`);
    await shows(running, 'API key (not shown): ');
    return [someone, running];
  };

  it('does not show what is typed', async () => {
    const [someone, running] = await asked('typing');
    running.child.stdin.write(`${platform.key}\r`);
    const { code, out } = await running.ended;
    assert.equal(code, 0, out);
    assert.ok(out.includes(platform.url) && !out.includes(platform.key.slice(3)), out);
    assert.ok(out.includes('\u001b[32m✔'), out);
    assert.equal(JSON.parse(await readFile(someone.configFile, 'utf8')).key, platform.key);
  });

  for (const [name, key] of [
    ['Ctrl-C', CTRL_C],
    ['Ctrl-D', CTRL_D],
  ] as const) {
    it(`ends with ${name}, and nothing is saved`, async () => {
      const [someone, running] = await asked(name);
      running.child.stdin.write(key);
      const { code, out } = await running.ended;
      assert.equal(code, 130, out);
      assert.match(stripVTControlCharacters(out), /^error: Interrupted\.\r$/m);
      await assert.rejects(stat(someone.configFile));
    });
  }
});

describe('the progress of an upload', () => {
  for (const columns of casesOf([30, 60, 80], 1)) {
    it(`stays on one line of ${columns} columns, and leaves only the result on the screen`, async () => {
      const { code, out } = await person.startOnTerminal(columns, ['upload', clip, '--draft']).ended;
      assert.equal(code, 0, out);
      const frames = drawn(out);
      const last = frames.pop() ?? '';
      assert.ok(frames.length >= 3, out);
      for (const frame of frames) assert.ok(frame.length < columns && !frame.includes('\n'), frame);
      assert.ok(
        frames.some((frame) => /uploading \d+ %/.test(frame)) && frames.some((frame) => /processing \d+ %/.test(frame)),
        out,
      );
      assert.equal(out.includes('\u001b[36m━'), columns > 30, 'there is a bar where there is room');
      assert.match(last, /^✔ a quiet clip with a rather long name \(READY\): http/);
    });
  }

  it('has no colors with NO_COLOR', THOROUGH, async () => {
    const { code, out } = await person.startOnTerminal(80, ['upload', clip, '--draft'], { NO_COLOR: '1' }).ended;
    assert.equal(code, 0, out);
    assert.ok(drawn(out).some((frame) => frame.includes('━━━━━━━━')));
    for (const colour of ['\u001b[3', '\u001b[2m']) assert.ok(!out.includes(colour), out);
  });

  it('is cleared by Ctrl-C, which says how to resume; the next run resumes', THOROUGH, async () => {
    platform.proxy.take();
    platform.proxy.next({ kind: 'silence' }, ({ method }) => method === 'PATCH');
    const line = ['upload', clip, '--draft'];
    const running = person.startOnTerminal(80, line);
    await shows(running, 'uploading 0 %');
    await platform.proxy.came('PATCH', 1);
    running.child.stdin.write(CTRL_C);
    const { code, out } = await running.ended;
    assert.equal(code, 130, out);
    assert.match(drawn(out).at(-1) ?? '', /^(\^C)?Interrupted\. Run the same command again to resume\.\r\n/);
    const again = await person.startOnTerminal(80, line).ended;
    assert.equal(again.code, 0, again.out);
    assert.match(drawn(again.out)[0] ?? '', /^Resuming the earlier upload/);
  });

  it('is optional: the upload goes on when stderr is closed', THOROUGH, async () => {
    const running = person.start(['upload', clip, '--draft']);
    await new Promise((resolve) => running.child.stderr.once('data', resolve));
    running.child.stderr.destroy();
    const { code, out } = await running.ended;
    assert.equal(code, 0);
    assert.match(out, /^✔ a quiet clip/);
  });
});
