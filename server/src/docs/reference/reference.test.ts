import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GraphQLEnumType, GraphQLInputObjectType, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { platformSchema } from '../../schema.ts';
import { renderMarkdown } from '../render-markdown.ts';
import { apiPage } from './api-page.ts';
import { readExamples } from './operation-example.ts';
import { operationPages, operationsOf } from './operation-pages.ts';
import { typePages } from './type-pages.ts';

const BASE_URL = 'https://video.example.com';
const HOSTILE = 'a | b <script>alert(1)</script> [x](javascript:alert(1)) `</code>`\n\n| c |';

const examples = await readExamples();

describe('API reference', () => {
  const schema = platformSchema();
  const operations = new Map(operationPages(schema, examples, BASE_URL).map((page) => [page.path, page.markdown]));
  const types = new Map(typePages(schema).map((page) => [page.path, page.markdown]));

  it('has a page for each operation, which the index lists', () => {
    const { markdown } = apiPage(schema);
    for (const { path, field } of operationsOf(schema)) {
      assert.ok(markdown.includes(`| [${field.name}](${path}) |`), path);
      assert.match(
        operations.get(path) ?? '',
        /\n## Arguments\n[\s\S]+\n## Response\n[\s\S]+\n## Example\n[\s\S]+\n## Errors\n/,
        path,
      );
    }
  });

  it('shows access, arguments, cost and a recorded call of an operation', () => {
    const page = operations.get('/docs/api/mutations/publishContents') ?? '';
    assert.match(
      page,
      /\*\*Who may\*\*: `content:publish`: publish and unpublish content; on channels where .* is EDITOR or higher/,
    );
    assert.match(page, /\*\*Cost\*\*: 11 points plus the selected fields; the example at most 11 /);
    assert.ok(page.includes('| `ids` | \\[[DID](/docs/api/types/DID)!\\]! |'));
    assert.match(
      page,
      /curl https:.+\/graphql \\\n {2}-H "Authorization: Bearer \$KEY"[^\n]+ \\\n {2}-d '\{"query":"mutation PublishContents/,
    );
    assert.match(page, /"ok": true/);
    assert.match(page, /\[RESOURCE_NOT_FOUND\]\(\/docs\/errors\/resource_not_found\)/);
  });

  it('links types with their fields and their uses', () => {
    const page = types.get('/docs/api/types/Webhook') ?? '';
    assert.match(page, /\| `channel` \| \[Channel\]\(\/docs\/api\/types\/Channel\)! \|/);
    assert.match(page, /\* \[createWebhook\]\(\/docs\/api\/mutations\/createWebhook\)/);
    assert.match(types.get('/docs/api/types/Node') ?? '', /## Possible types\n\n.*\[Webhook\]/);
    assert.match(types.get('/docs/api/types/ChannelRole') ?? '', /\| `OWNER` \| .+ \|/);
  });

  it('escapes descriptions', () => {
    const kind = new GraphQLEnumType({
      name: 'Kind',
      description: HOSTILE,
      values: { A: { description: HOSTILE, deprecationReason: HOSTILE } },
    });
    const input = new GraphQLInputObjectType({
      name: 'In',
      description: HOSTILE,
      fields: { a: { type: kind, description: HOSTILE } },
    });
    const field = {
      type: GraphQLString,
      description: HOSTILE,
      args: { in: { type: input, description: HOSTILE } },
      extensions: { access: 'public' },
    };
    const hostile = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { field } }) });
    const pages = [apiPage(hostile), ...operationPages(hostile, new Map(), BASE_URL), ...typePages(hostile)];
    assert.equal(pages.length, 4);
    for (const { markdown, path } of pages) {
      const { text } = renderMarkdown(markdown).body;
      assert.doesNotMatch(text, /<script|href="javascript|<\/code><\/code>/, path);
      for (const [, head = ''] of text.matchAll(/<thead><tr>(.*?)<\/tr>/g)) {
        const columns = head.match(/<th>/g)?.length;
        for (const [, row = ''] of text.matchAll(/<tbody>.*?<tr>(.*?)<\/tr>/g))
          assert.equal(row.match(/<td>/g)?.length, columns, path);
      }
    }
  });
});
