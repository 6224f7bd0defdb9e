import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client, JsonSchemaType } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { type AgentFixture, openAgentFixture } from '../testing.ts';
import type { Arguments } from './tool.ts';

/** Arguments of a call of each tool, with newly created objects. */
const EXAMPLES: Readonly<Record<string, (fixture: AgentFixture) => Promise<Arguments> | Arguments>> = {
  verify_connection: () => ({}),
  get_me: () => ({}),
  publish_video: () => ({ title: 'New', filename: 'new.mp4', size: 1000, publish: true }),
  list_my_contents: ({ owner }) => ({ channel: owner.channel }),
  finalize_content_upload: async ({ things }) => ({ contentId: await things.uploaded() }),
  wait_for_processing: async ({ things }) => ({ contentId: await things.content(), timeoutSeconds: 1 }),
  get_processing_status: async ({ things }) => ({ contentId: await things.content() }),
  estimate_processing: () => ({ durationMs: 60_000, width: 1920, height: 1080 }),
  create_content: () => ({ title: 'New' }),
  create_content_asset: async ({ things }) => ({
    id: await things.content({ status: 'READY' }),
    filename: 'a.mp4',
    size: 1000,
    video: { hint: 'NONE' },
  }),
  replace_video: async ({ things }) => ({ id: await things.video(), filename: 'b.mp4', size: 1000 }),
  trim_video: async ({ things }) => ({ id: await things.video(), keep: [{ startMs: 1000, endMs: 30_000 }] }),
  revert_video: async ({ things }) => ({ id: await things.trimmed() }),
  create_clip: async ({ things }) => ({ content: await things.video(), startMs: 0, endMs: 9000, title: 'A clip' }),
  submit_content_for_processing: async ({ things }) => ({ id: await things.uploaded() }),
  upmix_content: async ({ things }) => ({ id: await things.processed(), layout: 'SURROUND_7_1' }),
  transcribe_content: async ({ things }) => ({ id: await things.processed() }),
  translate_captions: async ({ things }) => ({ id: await things.processed(), from: 'en', to: 'de' }),
  upscale_content: async ({ things }) => ({ id: await things.processed(), target: 1440, model: 'clean' }),
  start_content_test: async ({ things }) => ({
    id: await things.content({ status: 'PUBLISHED' }),
    variants: [{ title: 'Another title' }],
    applyWinner: true,
  }),
  get_content_test: async ({ things }) => ({ contentId: (await things.contentTest()).content }),
  stop_content_test: async ({ things }) => ({ id: (await things.contentTest()).content }),
  apply_content_test_variant: async ({ things }) => {
    const { content, variant } = await things.contentTest();
    return { id: content, variant };
  },
  update_content: async ({ things }) => ({ id: await things.content(), title: 'Changed' }),
  publish_content: async ({ things }) => ({ id: await things.content({ status: 'READY' }) }),
  unpublish_content: async ({ things }) => ({ id: await things.content({ status: 'PUBLISHED' }) }),
  publish_content_to_youtube: async ({ things, owner }) => {
    await things.youtube(owner);
    return { id: await things.video() };
  },
  get_youtube_publish_job: async ({ things }) => ({ id: await things.publication() }),
  delete_content: async ({ things }) => ({ id: await things.content() }),
  restore_content: async ({ things }) => ({ id: await things.trashed() }),
  set_chapters: async ({ things }) => ({ id: await things.content(), chapters: [] }),
  add_captions: async ({ things }) => ({
    id: await things.content(),
    language: 'en',
    text: '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
  }),
  create_series: () => ({ title: 'New' }),
  create_season: async ({ things }) => ({ series: (await things.series()).serie, title: 'Two' }),
  create_episode: async ({ things }) => ({ parent: (await things.series()).season, title: 'Two' }),
  search: async ({ things }) => {
    await things.content({ status: 'PUBLISHED', title: 'A video' });
    return { query: 'video' };
  },
  list_contents: () => ({ sort: 'MOST_VIEWED', first: 3 }),
  get_content: async ({ things }) => ({ id: await things.content({ status: 'PUBLISHED' }), detail: true }),
  get_channel: ({ owner }) => ({ id: owner.channel, detail: true }),
  list_channels: () => ({}),
  list_categories: () => ({}),
  list_genres: () => ({}),
  list_ratings: () => ({}),
  get_playlist: async ({ things }) => ({ id: (await things.playlist()).id }),
  create_playlist: () => ({ title: 'New' }),
  create_playlist_with_items: async ({ things }) => ({
    title: 'New',
    contentIds: [await things.content({ status: 'PUBLISHED' })],
  }),
  update_playlist: async ({ things }) => ({ id: (await things.playlist()).id, title: 'Changed' }),
  add_playlist_items: async ({ things }) => ({
    id: (await things.playlist()).id,
    contentIds: [await things.content({ status: 'PUBLISHED' })],
  }),
  remove_playlist_items: async ({ things }) => {
    const { id, item } = await things.playlist();
    return { id, itemIds: [item] };
  },
  create_playlist_asset: async ({ things }) => ({
    id: (await things.playlist()).id,
    filename: 'a.png',
    size: 1000,
    image: { hint: 'THUMBNAIL' },
  }),
  list_live_inputs: ({ owner }) => ({ channel: owner.channel }),
  create_live_input: () => ({ name: 'Studio camera', visibility: 'UNLISTED' }),
  update_simulcast_target: async ({ things }) => ({ id: await things.simulcastTarget(), isEnabled: false }),
  schedule_stream: async ({ things }) => ({
    ...{ liveInput: await things.liveInput(), title: 'Eclipse', scheduledAt: '2027-01-01T18:00:00Z' },
  }),
  list_scheduled_streams: ({ owner }) => ({ channel: owner.channel }),
  reschedule_stream: async ({ things }) => ({
    ...{ id: await things.scheduled(), scheduledAt: '2027-01-01T18:00:00Z' },
  }),
  cancel_stream: async ({ things }) => ({ id: await things.scheduled() }),
  start_broadcast: async ({ things }) => ({ id: await things.previewed() }),
  end_broadcast: async ({ things }) => ({ id: await things.broadcast() }),
  list_signing_keys: ({ owner }) => ({ channel: owner.channel }),
  create_signing_key: () => ({
    publicKey:
      '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAmfP+8gKPwffoU7KtahtNuW4kgyzYSeFUnG6JGD9XNGk=\n-----END PUBLIC KEY-----',
  }),
  delete_signing_key: async ({ things }) => ({ id: await things.signingKey() }),
  list_shares: async ({ things }) => ({ id: await things.content({ visibility: 'PRIVATE' }) }),
  list_shared_contents: () => ({}),
  share_content: async ({ things }) => ({
    id: await things.content({ visibility: 'PRIVATE' }),
    email: 'viewer@example.com',
  }),
  unshare_content: async ({ things }) => ({ id: await things.contentShare() }),
  create_share_link: async ({ things }) => ({ content: await things.content({ visibility: 'PRIVATE' }), maxUses: 5 }),
  delete_share_link: async ({ things }) => ({ id: await things.shareLink() }),
  list_followed_channels: () => ({}),
  list_comments: async ({ things }) => {
    const contentId = await things.content({ status: 'PUBLISHED' });
    return { contentId };
  },
  create_comment: async ({ things }) => ({ contentId: await things.content({ status: 'PUBLISHED' }), body: 'Hello' }),
  like_content: async ({ things }) => ({ id: await things.content({ status: 'PUBLISHED' }) }),
  unlike_content: async ({ things }) => ({ id: await things.content({ status: 'PUBLISHED' }) }),
  follow_channel: async ({ api }) => ({ channel: (await api.person('followed')).channel }),
  unfollow_channel: async ({ api }) => ({ channel: (await api.person('unfollowed')).channel }),
  list_held_comments: ({ owner }) => ({ channel: owner.channel }),
  approve_comments: async ({ things }) => ({ ids: [await things.comment()] }),
  reject_comments: async ({ things }) => ({ ids: [await things.comment()] }),
  channel_dashboard: () => ({}),
  channel_analytics: ({ owner }) => ({ channel: owner.channel }),
  video_analytics: async ({ things, owner }) => ({
    channel: owner.channel,
    contentId: await things.content({ status: 'PUBLISHED' }),
  }),
  forecast_views: async ({ things }) => ({ contentId: await things.content({ status: 'PUBLISHED' }) }),
  predict_virality: () => ({ title: 'Why cats land on their feet' }),
  list_events: () => ({ first: 3 }),
  export_data: () => ({ query: '{ contents { edges { node { id } } } }' }),
  get_data_export: async ({ things, owner }) => ({ id: await things.dataExport(owner) }),
  list_youtube_videos: async ({ things, owner }) => {
    await things.youtube(owner);
    return { limit: 2 };
  },
  create_content_from_youtube: async ({ things, owner }) => ({ videoId: await things.youtube(owner) }),
  import_youtube_and_publish: async ({ things, owner }) => ({ videoId: await things.youtube(owner) }),
  import_youtube_library: async ({ things, owner }) => {
    await things.youtube(owner);
    return { maxResults: 2 };
  },
  run_script: () => ({ code: 'return (await tools.get_me()).username' }),
  search_schema: () => ({ query: 'pin a comment' }),
  search_tools: () => ({ query: 'translate captions' }),
  graphql_query: () => ({
    query: 'query ($first: Int) { features(first: $first) { totalCount } }',
    variables: { first: 1 },
  }),
  graphql_mutate: () => ({
    query: 'mutation { updateSettings(input: { keepHistory: true }) { settings { keepHistory } } }',
  }),
};

describe('every tool', () => {
  let fixture: AgentFixture;
  let client: Client;
  before(async () => {
    fixture = await openAgentFixture();
    client = await fixture.connect({ search: '?toolsets=all' });
  });
  after(() => fixture?.close());

  it('has an example here', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).toSorted(), Object.keys(EXAMPLES).toSorted());
  });

  for (const [name, prepare] of Object.entries(EXAMPLES)) {
    // The official client refuses results that do not match the output schema.
    it(`${name} returns data that matches its output schema, and text`, async () => {
      const result = await client.callTool({ name, arguments: { ...(await prepare(fixture)) } });
      const [text] = result.content;
      assert.ok(!result.isError && text?.type === 'text' && text.text !== '', JSON.stringify(result.content));
      assert.ok(result.structuredContent);
    });
  }

  it('keeps a field whose argument is absent, and clears one whose argument is null', async () => {
    const { ratings } = (await client.callTool({ name: 'list_ratings', arguments: {} })).structuredContent as {
      ratings: { items: { id: string }[] };
    };
    const id = await fixture.things.content();
    const change = async (fields: Arguments) => {
      const result = await client.callTool({ name: 'update_content', arguments: { id, ...fields } });
      assert.ok(!result.isError, JSON.stringify(result.content));
      const query = `{ content(id: "${id}") { metadata { summary keywords language rating { id } } } }`;
      const read = await client.callTool({ name: 'graphql_query', arguments: { query } });
      return (read.structuredContent as { content: { metadata: object } }).content.metadata;
    };
    const rating = ratings.items[0] ?? assert.fail('there are no ratings');
    const full = { summary: 'Long', keywords: ['a'], language: 'de' };
    assert.deepEqual(await change({ ...full, rating: rating.id }), { ...full, rating: { id: rating.id } });
    assert.deepEqual(await change({ title: 'Other' }), { ...full, rating: { id: rating.id } });
    const cleared = { summary: null, keywords: null, language: null, rating: null };
    const { tools } = await client.listTools();
    const listed = tools.find(({ name }) => name === 'update_content') ?? assert.fail('it is not listed');
    const isOfSchema = new AjvJsonSchemaValidator().getValidator(listed.inputSchema as JsonSchemaType);
    assert.deepEqual(isOfSchema({ id, ...cleared }).errorMessage, undefined);
    assert.equal(isOfSchema({ id, title: null }).valid, false);
    assert.deepEqual(await change(cleared), {
      summary: '',
      keywords: [],
      language: null,
      rating: null,
    });
  });

  it('omits null, except in results of the agent’s own document', async () => {
    const own = await client.callTool({ name: 'get_me', arguments: {} });
    const { me } = own.structuredContent as { me: { channels: object; subscription: object } };
    assert.deepEqual(['next' in me.channels, 'endsAt' in me.subscription], [false, false]);
    const written = await client.callTool({
      name: 'graphql_query',
      arguments: { query: '{ me { subscription { endsAt } } }' },
    });
    assert.deepEqual(written.structuredContent, { me: { subscription: { endsAt: null } } });
  });
});
