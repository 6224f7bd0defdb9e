import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { codeOfGuide } from '../server/src/docs/testing.ts';
import { sharedStage } from './support/stage.ts';

const LIMIT_MS = 180_000;

const stage = sharedStage();

/** The guides: every command is run in one shell, in order. */
describe('the guides', () => {
  let key = '';
  before(async () => {
    ({ key } = await stage.account());
  });

  /** The output of the commands. Throws when one fails. */
  async function follow(...commands: readonly string[]): Promise<string> {
    const cwd = join(stage.folder, 'reader');
    await mkdir(cwd, { recursive: true });
    const env = { ...process.env, API: stage.baseUrl, KEY: key };
    const script = ['set -euo pipefail', ...commands].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd, env, timeout: LIMIT_MS });
    assert.doesNotMatch(stdout, /"errors":/);
    return stdout;
  }

  it('upload a file and play it', async () => {
    const output = await follow(...(await codeOfGuide('first-upload', 'sh')));
    assert.match(output, /"authenticated":true/);
    assert.match(output, /"waitForProcessing":\{"status":"COMPLETE","error":null/);
    assert.match(output, /#EXTM3U[\s\S]*#EXT-X-STREAM-INF/);
  });

  it('create a series with its episodes in order', async () => {
    const helpers = (await codeOfGuide('first-upload', 'sh')).slice(0, 1);
    const output = await follow(...helpers, ...(await codeOfGuide('series', 'sh')));
    assert.equal(output.match(/"ok":true/g)?.length, 3, output);
    assert.match(output, /"totalCount":2,"edges":\[.*"The plain".*"The coast".*\]/);
  });

  it('connect an agent', async () => {
    const output = await follow(...(await codeOfGuide('agents', 'sh')));
    assert.match(output, /"name":"publish_video"/);
    assert.match(output, /"authenticated":true/);
    const readonly = output.slice(output.lastIndexOf('"tools":['));
    assert.doesNotMatch(readonly, /"name":"publish_video"/);
  });
});
