import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog } from './domains/catalog/testing.ts';
import { comment } from './domains/social/testing.ts';

/** Caches of clients keep what a deletion changed beside it only if its payload has it. */
describe('payloads of deletions', () => {
  let api: TestCatalog;
  let anna: Person;
  before(async () => {
    api = await openTestCatalog({ env: { FETCH_ALLOW: '127.0.0.1' } });
    anna = await api.person('anna');
  });
  after(() => api.close());

  const published = () => api.content(anna, { status: 'PUBLISHED' });
  const remove = async (name: string, id: string, selection: string) =>
    (await api.ok(anna, `mutation ($id: DID!) { ${name}(id: $id) { ${selection} } }`, { id }))[name];

  it('have the content and the parent of a comment, with their counts', async () => {
    const content = await published();
    const parent = await comment(api, anna, content, 'first');
    const reply = await comment(api, anna, content, 'reply', parent);
    const selection = 'id content { id commentCount } parent { id replies { totalCount } }';
    assert.deepEqual(await remove('deleteComment', reply, selection), {
      id: reply,
      content: { id: content, commentCount: 1 },
      parent: { id: parent, replies: { totalCount: 0 } },
    });
    assert.deepEqual(await remove('deleteComment', parent, selection), {
      id: parent,
      content: { id: content, commentCount: 0 },
      parent: null,
    });
  });

  it('have the content of captions, without them', async () => {
    const content = await published();
    const created = await api.ok(
      anna,
      `mutation ($id: DID!, $input: CreateContentCaptionsInput!) {
        createContentCaptions(id: $id, input: $input) { captions { id } }
      }`,
      { id: content, input: { language: 'en', text: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello' } },
    );
    const { id } = created.createContentCaptions.captions;
    assert.deepEqual(await remove('deleteContentCaptions', id, 'id content { id captions { totalCount } }'), {
      id,
      content: { id: content, captions: { totalCount: 0 } },
    });
  });

  it('have the channel of a content, without it', async () => {
    const content = await published();
    const selection = 'id channel { id trash { totalCount } }';
    assert.deepEqual(await remove('deleteContent', content, selection), {
      id: content,
      channel: { id: anna.channel, trash: { totalCount: 1 } },
    });
    assert.deepEqual(await remove('purgeContent', content, selection), {
      id: content,
      channel: { id: anna.channel, trash: { totalCount: 0 } },
    });
  });

  it('have the channel of a playlist, a webhook and a signing key', async () => {
    const channel = { id: anna.channel };
    const playlist = (
      await api.ok(anna, 'mutation ($input: PlaylistInput!) { createPlaylist(input: $input) { id } }', {
        input: { title: 'Mine' },
      })
    ).createPlaylist.id;
    assert.deepEqual(await remove('deletePlaylist', playlist, 'id channel { id }'), { id: playlist, channel });
    const webhook = (
      await api.ok(anna, 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }', {
        input: { url: 'http://127.0.0.1:9/', events: ['ALL'] },
      })
    ).createWebhook.webhook.id;
    assert.deepEqual(await remove('deleteWebhook', webhook, 'id channel { id }'), { id: webhook, channel });
    const key = (
      await api.ok(
        anna,
        `mutation ($input: CreateSigningKeyInput!) {
          createSigningKey(input: $input) { signingKey { id } }
        }`,
        { input: { description: 'Site' } },
      )
    ).createSigningKey.signingKey.id;
    assert.deepEqual(await remove('deleteSigningKey', key, 'id channel { id }'), { id: key, channel });
  });

  it('have the content that left a list of the account, unless the account may not see it', async () => {
    const content = await published();
    await api.ok(anna, 'mutation ($id: DID!) { addToWatchLater(id: $id) { content { id } } }', { id: content });
    assert.deepEqual(await remove('removeFromWatchLater', content, 'ok content { id isInWatchLater }'), {
      ok: true,
      content: { id: content, isInWatchLater: false },
    });
    assert.deepEqual(await remove('removeFromHistory', content, 'ok content { id }'), {
      ok: true,
      content: { id: content },
    });
    const hidden = await api.content(await api.person('bert'));
    for (const name of ['removeFromWatchLater', 'removeFromHistory'])
      assert.deepEqual(await remove(name, hidden, 'ok content { id }'), { ok: true, content: null });
  });
});
