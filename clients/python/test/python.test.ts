import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { makePaddedClip } from '../../../e2e/support/clips.ts';
import { casesOf } from '../../../scripts/test-runner/cases.ts';
import { sharedTestPlatform } from '../../typescript/test/platform.fixture.ts';
import { ControlServer } from './control.fixture.ts';
import { pythonTests } from './python.fixture.ts';
import { webhookVectors } from './webhook-vectors.fixture.ts';

const platform = sharedTestPlatform();
let control: ControlServer;
before(async () => {
  control = await ControlServer.start(platform);
});
after(() => control?.close());

/** The tests of the Python client are in Python; each is a test here. */
const MODULES = ['core', 'models', 'webhooks', 'requests', 'lists', 'uploads', 'events'];
/** Those that ask nothing of a platform, and those of requests. */
const FEW = 4;

it('the Python client', async (t) => {
  const env = {
    PLATFORM: JSON.stringify({
      url: platform.url,
      key: platform.key,
      username: platform.username,
      channelId: platform.channelId,
      folder: platform.folder,
      clip: makePaddedClip(platform.folder, 'video.mp4'),
      control: control.url,
    }),
  };
  const modules = casesOf(MODULES, FEW).map((name) => `test_${name}`);
  let count = 0;
  for await (const { name, failure } of pythonTests(modules, env)) {
    count += 1;
    await t.test(name, () => {
      if (failure !== null) assert.fail(failure);
    });
  }
  assert.ok(count > 0);
});

it('the recorded messages of webhooks are those that the platform signs today', () => {
  const recorded: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'webhook-vectors.json'), 'utf8'));
  assert.deepEqual(recorded, webhookVectors());
});
