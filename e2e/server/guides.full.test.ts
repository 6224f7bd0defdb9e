import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { codeOfGuide } from '../../server/src/docs/testing.ts';
import { sharedStage } from '../support/stage.ts';

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

  /** Runs a guide with the helpers of the first one. */
  async function followAfterFirst(guide: string): Promise<string> {
    const helpers = (await codeOfGuide('first-upload', 'sh')).slice(0, 1);
    return follow(...helpers, ...(await codeOfGuide(guide, 'sh')));
  }

  it('create a series with its episodes in order', async () => {
    const output = await followAfterFirst('series');
    assert.equal(output.match(/"ok":true/g)?.length, 3, output);
    assert.match(output, /"totalCount":2,"edges":\[.*"The plain".*"The coast".*\]/);
  });

  it('play it elsewhere, report the playback, and read the analytics', async () => {
    const guides = [await codeOfGuide('players', 'sh'), await codeOfGuide('analytics', 'sh')];
    const output = await follow(
      ...(await codeOfGuide('first-upload', 'sh')),
      ...(guides[0] ?? []),
      // Reported playback appears within seconds.
      `until ask '{"query":"{ me { channel { features(first: 1) { edges { node { viewCount } } } } } }"}' |`,
      `  grep -q '"viewCount":1'; do sleep 0.5; done`,
      ...(guides[1] ?? []),
    );
    assert.match(output, /"accepted":2,"refused":0,"tracked":true/);
    assert.match(output, /"views":\{"value":1,"deltaVsPrevious":null,"deltaPct":null,"coverage":\{"share":[\d.e-]+/);
    assert.match(
      output,
      /id,title,views,watchMinutes,uniqueViewers,impressions,clicks\n"did:[^"]+","My video","1","0\.058/,
    );
  });

  it('make, change and delete a playlist', async () => {
    const output = await followAfterFirst('playlists');
    assert.match(output, /"itemsCount":3,"items":\{"edges":\[.*"Flatbread".*"Sourdough".*"Rye bread".*\]/);
    assert.match(output, /"deletePlaylist":\{"id":"did:/);
  });

  it('hold comments, and approve what is held', async () => {
    const output = await followAfterFirst('moderation');
    assert.match(output, /"blockedWords":\["free money"\],"holdLinks":true/);
    assert.match(output, /"mode":"HOLD_ALL"/);
    assert.match(output, /"heldComments":\{"totalCount":0,"edges":\[\]\}/);
    assert.match(output, /"reports":\{"totalCount":0,"edges":\[\]\}/);
  });

  it('read the pages of a list', async () => {
    const output = await followAfterFirst('pagination');
    assert.match(output, /^20\n\{"data":\{"categories":\{"pageInfo":\{"hasNextPage":true\},"edges":\[/);
    assert.match(output, /charged \d+, left \d+\n$/);
  });

  it('export a list', async () => {
    const output = await followAfterFirst('bulk-export');
    assert.match(output, /^COMPLETE\n[1-9]\d* lines, each with its title: true\n$/);
  });

  it('connect an agent', async () => {
    const output = await follow(...(await codeOfGuide('agents', 'sh')));
    assert.match(output, /"name":"publish_video"/);
    assert.match(output, /"authenticated":true/);
    const readonly = output.slice(output.lastIndexOf('"tools":['));
    assert.doesNotMatch(readonly, /"name":"publish_video"/);
  });
});
