import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AgentFixture, openAgentFixture, textOf } from './testing.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

let fixture: AgentFixture;
before(async () => {
  fixture = await openAgentFixture();
});
after(() => fixture?.close());

describe('the MCP entry point', () => {
  const metadata = '/.well-known/oauth-protected-resource/mcp';

  it('refuses requests without a key, with a pointer to the metadata', async () => {
    const response = await fetch(fixture.address, { method: 'POST' });
    assert.equal(response.status, 401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    assert.match(
      challenge,
      new RegExp(`^Bearer .*resource_metadata="${fixture.api.platform.config.BASE_URL}${metadata}"$`),
    );
    const described = (await (await fetch(new URL(metadata, fixture.address))).json()) as { resource: string };
    assert.equal(described.resource, `${fixture.api.platform.config.BASE_URL}/mcp`);
  });

  it('serves a token with any permissions, and lists the tools that it may call', async () => {
    const create = 'mutation ($input: CreateTokenInput!) { createToken(input: $input) { value } }';
    const token = async (name: string, permissions: string[]) =>
      (await fixture.api.ok(fixture.owner, create, { input: { name, permissions } })).createToken.value;
    const uploader = await fixture.connect({
      key: await token('Upload script', ['content:create', 'content:publish', 'asset:upload']),
    });
    const names = (await uploader.listTools()).tools.map(({ name }) => name);
    for (const name of ['publish_video', 'wait_for_processing', 'get_content']) assert.ok(names.includes(name), name);
    for (const name of ['get_me', 'create_playlist', 'delete_content']) assert.ok(!names.includes(name), name);
    const { structuredContent } = await uploader.callTool({ name: 'verify_connection', arguments: {} });
    const { verifyConnection } = structuredContent as { verifyConnection: { user: { email: string } } };
    assert.equal(verifyConnection.user.email, '');
    assert.doesNotMatch(JSON.stringify(verifyConnection), /Creator|ACTIVE/);
    const contentId = await fixture.things.content({ status: 'DRAFT' });
    const waited = await uploader.callTool({
      name: 'wait_for_processing',
      arguments: { contentId, timeoutSeconds: 0 },
    });
    assert.ok(!waited.isError, textOf(waited));
    const liker = await fixture.connect({ key: await token('Likes', ['like:manage']) });
    const liked = await liker.callTool({ name: 'get_me', arguments: {} });
    assert.match(textOf(liked), /^UNAUTHORIZED: The token "Likes" does not have the permission account:read/);
  });

  it('refuses a replaced key from the next message on', async () => {
    const person = await fixture.api.person('regina');
    const { key } = person;
    const client = await fixture.connect({ key });
    await client.listTools();
    await fixture.api.ok(await fixture.api.signedIn(person), 'mutation { regenerateApiKey { key } }');
    await assert.rejects(client.listTools(), (error: Error) =>
      /401|Unauthorized|UNAUTHENTICATED/i.test(`${error.name} ${error.message}`),
    );
  });

  it('refuses cross-site requests and DNS rebinding', async () => {
    assert.equal((await fixture.post(LIST, { origin: 'https://evil.example' })).status, 403);
    assert.equal((await fixture.post(LIST, { origin: fixture.api.platform.config.BASE_URL })).status, 200);
  });

  it('returns protocol errors for malformed messages and continues', async () => {
    const parse = (await (await fixture.post('{"jsonrpc": "2.0", "id": 1,')).json()) as { error: { code: number } };
    assert.equal(parse.error.code, -32700);
    const invalid = await fixture.post({ jsonrpc: '2.0', id: 1, method: 'no/such' });
    assert.match(await invalid.text(), /-32601/);
    const unknown = await fixture.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      { 'mcp-protocol-version': '1999-01-01' },
    );
    assert.equal(unknown.status, 400);
    assert.equal((await fixture.post('x'.repeat(1_100_000))).status, 413);
    assert.equal((await fixture.post('['.repeat(30))).status, 400); // nested too deeply
    const batch = (length: number) => fixture.post(Array.from({ length }, (_, id) => ({ ...LIST, id })));
    assert.deepEqual([(await batch(10)).status, (await batch(11)).status], [200, 400]);
    assert.equal((await fixture.post(LIST)).status, 200);
  });
});
