import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { type Person, uuidOf } from '../server/src/domains/catalog/testing.ts';
import { newId } from '../server/src/kernel/ids.ts';
import { type AgentFixture, openAgentFixture } from '../server/src/mcp/testing.ts';
import { table } from './results.ts';

/** Mean length of a token. */
const CHARACTERS_PER_TOKEN = 4;

/** A task of an agent, solved with the best tools that there are, and with one script. */
interface Task {
  readonly name: string;
  /** Prepares a channel for it; both ways begin with equal ones. */
  readonly prepare: (api: AgentFixture['api'], owner: Person) => Promise<void>;
  /** Returns the answer to the person, or nothing if the task changes something. */
  readonly step: (agent: Agent) => Promise<unknown>;
  readonly script: string;
  readonly allowDestructive?: boolean;
  /** What a task that changes something left. */
  readonly state?: (api: AgentFixture['api'], owner: Person) => Promise<unknown>;
}

const TITLES = 'select title from contents where channel_id = $1 order by title';
const PLAYLISTS = `select p.title, c.title as item from playlists p join playlist_items i on i.playlist_id = p.id
  join contents c on c.id = i.content_id where p.channel_id = $1 order by c.title`;
const COMMENTS = 'select body, status from comments where channel_id = $1 order by body';

const TASKS: readonly Task[] = [
  {
    name: 'rename 20 videos',
    prepare: async (api, owner) => void (await videos(api, owner, 20)),
    async step(agent) {
      const { channel } = await agent.call('list_my_contents', { first: 100 });
      for (const { id, metadata } of channel.contents.items)
        await agent.call('update_content', { id, title: `${metadata.title} (2026)` });
    },
    script: `const videos = await all('list_my_contents');
for (const { id, metadata } of videos) await tools.update_content({ id, title: metadata.title + ' (2026)' });
return videos.length;`,
    state: (api, { channelId }) => api.rows(TITLES, [channelId]),
  },
  {
    name: 'which of 30 videos lost most viewers in 30 s',
    prepare: watchedVideos,
    async step(agent) {
      const { channel } = await agent.call('channel_analytics', { first: 30, second: 30 });
      return mostLost(channel.analytics.contents.items);
    },
    script: `const { analytics } = await tools.channel_analytics({ first: 30, second: 30 });
const lost = analytics.contents.items.map(({ content, retention }) => [content.metadata.title, 1 - retention]);
return lost.sort((a, b) => b[1] - a[1])[0][0];`,
  },
  {
    name: 'a playlist of the 40 videos of a category',
    prepare: musicVideos,
    async step(agent) {
      const { me } = await agent.call('get_me');
      const { categories } = await agent.call('list_categories', { first: 100 });
      const category = categories.items.find(({ name }: { name: string }) => name === 'Music');
      const channel = me.channels.items[0].channel.id;
      const { contents } = await agent.call('list_contents', { channel, categories: [category.id], first: 100 });
      const contentIds = contents.items.map(({ id }: { id: string }) => id);
      await agent.call('create_playlist_with_items', { title: 'All music', contentIds });
    },
    script: `const { channels } = await tools.get_me();
const music = (await all('list_categories')).find(({ name }) => name === 'Music');
const videos = await all('list_contents', { channel: channels.items[0].channel.id, categories: [music.id] });
const made = await tools.create_playlist_with_items({ title: 'All music', contentIds: videos.map(({ id }) => id) });
return made.playlist.itemsCount;`,
    state: (api, { channelId }) => api.rows(PLAYLISTS, [channelId]),
  },
  {
    name: 'moderate 40 held comments by a rule',
    prepare: heldComments,
    async step(agent) {
      const { channel } = await agent.call('list_held_comments', { first: 100 });
      const hasLink = ({ body }: { body: string }) => body.includes('http');
      const held: { id: string; body: string }[] = channel.heldComments.items;
      await agent.call('approve_comments', { ids: held.filter((each) => !hasLink(each)).map(({ id }) => id) });
      await agent.call('reject_comments', { ids: held.filter(hasLink).map(({ id }) => id) });
    },
    script: `const { heldComments } = await tools.list_held_comments({ first: 100 });
const { items } = heldComments;
const idsOf = (hasLink) => items.filter(({ body }) => body.includes('http') === hasLink).map(({ id }) => id);
await tools.approve_comments({ ids: idsOf(false) });
await tools.reject_comments({ ids: idsOf(true) });
return items.length;`,
    allowDestructive: true,
    state: (api, { channelId }) => api.rows(COMMENTS, [channelId]),
  },
  {
    name: 'titles and views of 100 videos',
    prepare: async (api, owner) => void (await videos(api, owner, 100)),
    async step(agent) {
      const { channel } = await agent.call('list_my_contents', { first: 100 });
      type Video = { metadata: { title: string }; viewCount: number };
      return channel.contents.items.map(({ metadata, viewCount }: Video) => [metadata.title, viewCount]);
    },
    script: `const videos = await all('list_my_contents');
return videos.map(({ metadata, viewCount }) => [metadata.title, viewCount]);`,
  },
];

/**
 * Calls and tokens of five tasks, with the usual tools and with `run_script`, without and with one `search_tools` that
 * declares the tools of the script. Counted is what a model writes to call tools and reads of their results; its answer
 * to the person is the same either way.
 */
export async function compareScripts(): Promise<void> {
  const fixture = await openAgentFixture();
  const rows = [['task', 'calls', 'script', 'tokens', 'script', 'declared', 'ratio', 'declared']];
  try {
    for (const [index, task] of TASKS.entries()) {
      const stepped = await solve(fixture, task, `steps${index}`, task.step);
      const scripted = await solve(fixture, task, `script${index}`, (agent) => agent.script(task));
      if (!isDeepStrictEqual(stepped.outcome, scripted.outcome)) throw new Error(`${task.name}: the results differ`);
      const declared = await solve(fixture, task, `declared${index}`, (agent) => agent.declaredScript(task));
      const [{ calls, tokens }, ...others] = [stepped.agent, scripted.agent, declared.agent];
      const spent = others.map((agent) => agent.tokens);
      const counts = [calls, scripted.agent.calls, tokens, ...spent].map((count) => count.toLocaleString('en'));
      rows.push([task.name, ...counts, ...spent.map((count) => (count / tokens).toFixed(2))]);
    }
  } finally {
    await fixture.close();
  }
  console.log(table(rows));
}

async function solve(fixture: AgentFixture, task: Task, name: string, how: (agent: Agent) => Promise<unknown>) {
  const owner = await fixture.api.person(name);
  await task.prepare(fixture.api, owner);
  const agent = new Agent(await fixture.connect({ key: owner.key }));
  const answer = await how(agent);
  return { agent, outcome: task.state ? await task.state(fixture.api, owner) : answer };
}

/** Counts what passes between a model and the tools. */
class Agent {
  calls = 0;
  #characters = 0;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  get tokens(): number {
    return Math.round(this.#characters / CHARACTERS_PER_TOKEN);
  }

  /** The data of a result, of which the model reads the text. */
  // biome-ignore lint/suspicious/noExplicitAny: each tool has its own result
  async call(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const result = await this.#client.callTool({ name, arguments: args });
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    if (result.isError) throw new Error(`${name}: ${text}`);
    this.calls += 1;
    this.#characters += name.length + JSON.stringify(args).length + text.length;
    return result.structuredContent;
  }

  async declaredScript(task: Task): Promise<unknown> {
    const names = [...task.script.matchAll(/tools\.(\w+)|all\('(\w+)'/g)].map(([, tool, list]) => tool ?? list);
    await this.call('search_tools', { query: names.join(' '), signatures: true });
    return this.script(task);
  }

  async script({ script: code, allowDestructive }: Task): Promise<unknown> {
    return (await this.call('run_script', { code, ...(allowDestructive ? { allowDestructive } : {}) })).result;
  }
}

async function videos(api: AgentFixture['api'], owner: Person, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const title = `Lecture ${String(number).padStart(3, '0')}: how tides work`;
    ids.push(uuidOf(await api.content(owner, { status: 'PUBLISHED', title })));
  }
  return ids;
}

/** Videos of a minute with a hundred plays; video n loses 3 n percent in the first ten seconds. */
async function watchedVideos(api: AgentFixture['api'], owner: Person): Promise<void> {
  const ids = await videos(api, owner, 30);
  const day = new Date(api.clock.now()).toISOString().slice(0, 10);
  await api.rows('update contents set duration_ms = 60000 where channel_id = $1', [owner.channelId]);
  for (const [index, id] of ids.entries()) {
    await api.rows(
      `insert into content_daily (content_id, channel_id, day, views, plays, watch_ms)
       values ($1, $2, $3, 100, 100, 3000000)`,
      [id, owner.channelId, day],
    );
    await api.rows('insert into content_retention (content_id, second, change) values ($1, 0, 100), ($1, 10, $2)', [
      id,
      -3 * (index + 1),
    ]);
  }
}

async function musicVideos(api: AgentFixture['api'], owner: Person): Promise<void> {
  const ids = await videos(api, owner, 60);
  const { id } = await api.row<{ id: string }>(`select id from categories where name = 'Music'`);
  for (const content of ids.slice(0, 40))
    await api.rows('insert into content_categories (content_id, category_id, position) values ($1, $2, 0)', [
      content,
      id,
    ]);
}

async function heldComments(api: AgentFixture['api'], owner: Person): Promise<void> {
  const [content] = await videos(api, owner, 1);
  for (let number = 1; number <= 40; number += 1) {
    const link = number % 4 === 0 ? ' Look at http://example.com/offer' : '';
    await api.rows(
      `insert into comments (id, content_id, channel_id, account_id, body, status, held_for, created_at)
       values ($1, $2, $3, $4, $5, 'HELD', 'ALL', $6)`,
      [
        ...[newId(), content, owner.channelId, owner.accountId],
        ...[`Comment ${number}: thank you for the explanation.${link}`, new Date(api.clock.now()).toISOString()],
      ],
    );
  }
}

/** The title of the video with the smallest share left. */
function mostLost(items: readonly { content: { metadata: { title: string } }; retention: number }[]): string {
  const [first] = [...items].sort((a, b) => a.retention - b.retention);
  return first?.content.metadata.title ?? '';
}
