import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { openTestCatalog, type TestCatalog, uuidOf } from '../../catalog/testing.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly Plan[];
}

/** The plan from its root to its leaves. */
function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

describe('pages of comments, in a table of 40,000', THOROUGH, () => {
  let api: TestCatalog;
  let content: string;
  let root: string;
  let channel: string;
  before(async () => {
    api = await openTestCatalog();
    const anna = await api.person('anna');
    channel = anna.channelId;
    content = uuidOf(await api.content(anna, { status: 'PUBLISHED' }));
    const other = uuidOf(await api.content(anna, { status: 'PUBLISHED' }));
    root = '01a1facb-422b-7000-b9e0-9276b51acd0e';
    const insert =
      'insert into comments (id, content_id, channel_id, account_id, parent_id, root_id, depth, body, likes_count, ' +
      'status, created_at)';
    await api.rows(`${insert} values ($1, $2, $3, $4, null, null, 0, 'Root', 0, 'PUBLISHED', now())`, [
      root,
      content,
      anna.channelId,
      anna.accountId,
    ]);
    await api.rows(
      `${insert} select gen_random_uuid(), case when n % 2 = 0 then $2::uuid else $3 end, $4, $5, p.id, p.id, case
        when p.id is null then 0 else 1 end,
         'Comment ' || n, n % 97, case when n % 50 = 1 then 'HELD' else 'PUBLISHED' end, now() - n * interval '1 second'
       from generate_series(1, 40000) n left join (select $1::uuid as id) p on n % 10 = 0`,
      [root, content, other, anna.channelId, anna.accountId],
    );
    await api.rows('analyze comments');
  });
  after(() => api.close());

  const pages: [string, string, string][] = [
    [
      'the newest',
      'comments_newest',
      `content_id = '$content' and parent_id is null and listed order by pin desc, created_at desc, id desc`,
    ],
    [
      'the newest after a cursor',
      'comments_newest',
      `content_id = '$content' and parent_id is null and listed and (pin, created_at, id) < (0, now() - ` +
        `interval '9 hours', '$root') order by pin desc, created_at desc, id desc`,
    ],
    [
      'the most liked',
      'comments_top',
      `content_id = '$content' and parent_id is null and listed order by pin desc, likes_count desc, id desc`,
    ],
    ['the answers', 'comments_replies', `parent_id = '$root' and listed order by created_at, id`],
    ['a thread', 'comments_thread', `root_id = '$root' and listed order by created_at, id`],
    [
      'the queue',
      'comments_held',
      `channel_id = '$channel' and status = 'HELD' and deleted_at is null order by created_at, id`,
    ],
  ];
  for (const [name, index, where] of pages) {
    it(`read ${name} from ${index} in order, one page and nothing more`, async () => {
      const condition = where.replaceAll('$channel', channel).replaceAll('$content', content).replaceAll('$root', root);
      const text = `explain (analyze, format json) select * from comments c where ${condition} limit 21`;
      const [row] = await api.rows<{ 'QUERY PLAN': { Plan: Plan }[] }>(text);
      const nodes = nodesOf(row?.['QUERY PLAN'][0]?.Plan as Plan); // explain always returns one plan
      assert.ok(nodes.some((node) => node['Index Name'] === index));
      assert.ok(
        nodes.every((node) => !/Sort|Seq Scan/.test(node['Node Type'])),
        JSON.stringify(nodes.map((node) => node['Node Type'])),
      );
      assert.ok(nodes.every((node) => node['Actual Rows'] <= 21));
    });
  }
});
