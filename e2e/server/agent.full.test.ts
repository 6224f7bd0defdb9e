import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from '../support/accessibility.ts';
import { PERSONS_BROWSER } from '../support/browser.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { graphql, paste } from '../support/steps.ts';

const stage = sharedStage();

/** An agent with only an address and a key. It counts its calls. */
class Agent {
  calls = 0;
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async connect(key: string): Promise<Agent> {
    const client = new Client({ name: 'video-assistant', version: '2.1' }, { versionNegotiation: { mode: 'auto' } });
    const headers = { authorization: `Bearer ${key}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${stage.baseUrl}/mcp`), { requestInit: { headers } }),
    );
    return new Agent(client);
  }

  /** Calls a tool and returns its data; fails the test on an error. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the tool's, and asserted by its use
  async call(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const result = await this.try(name, args);
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result.content)}`);
    return result.structuredContent;
  }

  try(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    this.calls += 1;
    return this.#client.callTool({ name, arguments: args });
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** Reports that a viewer watches the video up to a second, like a player. */
async function watch(contentId: string, untilSecond: number): Promise<void> {
  const common = { contentId, sessionId: randomUUID() };
  const at = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1000).toISOString();
  const events = [
    { ...common, kind: 'START', seq: 0, occurredAt: at(0), positionMs: 0, startupMs: 200 },
    {
      ...common,
      kind: 'HEARTBEAT',
      seq: 1,
      occurredAt: at(untilSecond),
      positionMs: untilSecond * 1000,
      ranges: [{ startMs: 0, endMs: untilSecond * 1000 }],
    },
  ];
  const response = await fetch(`${stage.baseUrl}/api/engagement`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': PERSONS_BROWSER },
    body: JSON.stringify({ events }),
  });
  assert.equal(response.status, 202, await response.text());
}

async function asDeveloper(visit: (page: Page, key: string) => Promise<void>): Promise<void> {
  const { page, context, errors, member } = await stage.signedIn();
  await page.goto('/settings/developer');
  await visit(page, member.key);
  assert.deepEqual(errors, []);
  await context.close();
}

test('an agent publishes videos, creates a playlist and finds where viewers leave, in at most 12 calls', async () => {
  await asDeveloper(async (page, key) => {
    const agent = await Agent.connect(key);
    const { me } = await agent.call('get_me');
    const channel = me.channels.items[0].channel.id;

    const ids: string[] = [];
    for (const title of ['Gripping', 'Dull']) {
      const file = makeClip(stage.folder, `${title}.mp4`, 40);
      const { size } = statSync(file);
      const { publishVideo } = await agent.call('publish_video', {
        title,
        filename: `${title}.mp4`,
        size,
        publish: true,
      });
      await paste(publishVideo.upload.curlCommand, stage.folder);
      ids.push(publishVideo.content.id);
    }
    for (const contentId of ids) {
      const { waitForProcessing } = await agent.call('wait_for_processing', { contentId, timeoutSeconds: 60 });
      assert.equal(waitForProcessing.status, 'COMPLETE');
    }
    const { createPlaylistWithItems } = await agent.call('create_playlist_with_items', {
      title: 'First steps',
      contentIds: ids,
    });
    assert.equal(createPlaylistWithItems.playlist.itemsCount, 2);

    const [gripping = '', dull = ''] = ids;
    for (let viewer = 0; viewer < 4; viewer += 1)
      await Promise.all([watch(gripping, viewer === 0 ? 10 : 39), watch(dull, viewer === 0 ? 39 : 10)]);
    for (const id of ids) await untilPlayed(key, channel, id, 4);

    // "Which of my videos lost most viewers in the first 30 seconds?"
    const { channel: seen } = await agent.call('channel_analytics', { second: 29 });
    const losses = (seen.analytics.contents.items as Kept[]).map(({ content, retention }) => ({
      title: content.metadata.title,
      lost: 1 - retention,
    }));
    losses.sort((a, b) => b.lost - a.lost);
    assert.deepEqual(losses, [
      { title: 'Dull', lost: 0.75 },
      { title: 'Gripping', lost: 0.25 },
    ]);
    assert.ok(agent.calls <= 12, `${agent.calls} calls`);
    await agent.close();

    // The owner sees everything.
    await page.goto('/settings/developer');
    const activity = page.getByRole('listitem').filter({ hasText: 'publishVideo' });
    await activity.first().getByText('Agent, video-assistant 2.1').waitFor();
    assert.equal(await activity.count(), 2);
    assert.deepEqual(await accessibilityViolations(page), []);
  });
});

interface Kept {
  readonly content: { readonly metadata: { readonly title: string } };
  readonly retention: number;
}

test('an agent publishes a series with two episodes and a playlist of them, in at most 12 calls', async () => {
  await asDeveloper(async (_, key) => {
    const agent = await Agent.connect(key);
    const { content: serie } = (await agent.call('create_series', { title: 'The tides' })).createSeries;
    const { content: season } = (await agent.call('create_season', { series: serie.id, title: 'Spring' })).createSeason;
    const episodes: string[] = [];
    for (const title of ['Ebb', 'Flood']) {
      const { size } = statSync(makeClip(stage.folder, `${title}.mp4`, 4));
      const upload = { title, filename: `${title}.mp4`, size, parent: season.id };
      const { publishVideo } = await agent.call('publish_video', upload);
      await paste(publishVideo.upload.curlCommand, stage.folder);
      episodes.push(publishVideo.content.id);
    }
    for (const contentId of episodes) {
      const { waitForProcessing } = await agent.call('wait_for_processing', { contentId, timeoutSeconds: 60 });
      assert.equal(waitForProcessing.content.status, 'PUBLISHED');
    }
    for (const id of [serie.id, season.id]) await agent.call('publish_content', { id });
    const { createPlaylistWithItems } = await agent.call('create_playlist_with_items', {
      title: 'All of it',
      contentIds: episodes,
    });
    assert.equal(createPlaylistWithItems.playlist.itemsCount, 2);
    assert.ok(agent.calls <= 12, `${agent.calls} calls`);
    await agent.close();
    const query = 'query ($id: DID!) { season(id: $id) { episodes { edges { node { metadata { title number } } } } } }';
    const { body } = await graphql(stage.baseUrl, key, query, { id: season.id });
    assert.deepEqual(body.data, {
      season: {
        episodes: {
          edges: [
            { node: { metadata: { title: 'Ebb', number: 1 } } },
            { node: { metadata: { title: 'Flood', number: 2 } } },
          ],
        },
      },
    });
  });
});

/** Waits until the analytics have counted this many playbacks of a video. */
async function untilPlayed(key: string, channel: string, video: string, plays: number): Promise<void> {
  const query =
    'query ($channel: DID!, $video: DID!) { channel(id: $channel) { analytics { content(id: $video) ' +
    '{ retention { plays } } } } }';
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { body } = await graphql(stage.baseUrl, key, query, { channel, video });
    // The query above.
    const { channel: found } = body.data as { channel: { analytics: { content: { retention: { plays: number } } } } };
    if (found.analytics.content.retention.plays >= plays) return;
    assert.ok(Date.now() < deadline, `${found.analytics.content.retention.plays} of ${plays} playbacks`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('an owner limits what the key may delete, and the agent gets the error', async () => {
  await asDeveloper(async (page, key) => {
    await page.getByLabel('Deletions per 24 hours').fill('1');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Saved.').waitFor();
    const agent = await Agent.connect(key);
    const create = async (title: string) => (await agent.call('create_content', { title })).createContent.id;
    const [first, second] = [await create('One'), await create('Two')];
    await agent.call('delete_content', { id: first });
    const refused = await agent.try('delete_content', { id: second });
    const [said] = refused.content;
    assert.ok(refused.isError && said?.type === 'text');
    assert.match(said.text, /^RATE_LIMIT_EXCEEDED: The API key's limit of 1 deletions in 24 hours has 0 left/);
    await agent.close();

    const row = page.getByRole('listitem').filter({ hasText: 'deleteContent' });
    // The audit log is written shortly after the response.
    for (let looks = 0; looks < 20 && (await row.count()) < 2; looks += 1) {
      await page.reload();
      await page.getByText('1 of 1 used').waitFor();
    }
    await row.getByText('RATE_LIMIT_EXCEEDED').waitFor();
    assert.equal(await row.count(), 2);
    assert.deepEqual(await accessibilityViolations(page), []);
  });
});
