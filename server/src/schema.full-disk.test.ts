import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { platformSchema } from './schema.ts';
import { smallestSelection } from './testing/example-documents.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

/** For operators or signed-in people only, or nothing to write in the example: they are refused before a write. */
const WITHOUT_WRITES = `
  claimOperator createInvitation generateApiKey liftTakedown movePlaylistItem movePlaylistItems openBillingPortal
  predictVirality regenerateApiKey reinstateAccount removeChannelMember removeFromPlaylist removeUpmix removeUpscale
  renumberEpisodes renumberSeasons requestAccountArchive retryServerJob revealApiKey reviewReport revokeInvitation
  sendPasswordReset setAccountPlan setKeyBudgets startCheckout startTrial suspendAccount updateInstance
  waitForProcessing`;

let fixture: SeededPlatform;
before(async () => {
  fixture = await openSeededPlatform();
});
after(() => fixture?.close());

test('every mutation reports a full disk of the database as unavailable, to be tried again', async () => {
  const fields = Object.values(platformSchema().getMutationType()?.getFields() ?? {});
  const wrong: string[] = [];
  const refused = new Set<string>();
  for (const { name, type } of fields) {
    const given = await fixture.mutation(name, 'owner');
    const query = `mutation { ${name}${given ? `(${given})` : ''}${smallestSelection(type)} }`;
    await fixture.fillDisk(true);
    const { body, failure } = await fixture.execute(fixture.people.owner, query, {});
    await fixture.fillDisk(false);
    for (const { message, extensions } of body.errors ?? []) {
      const { code, retryable, suggestedFix } = extensions ?? {};
      if (code !== 'SERVICE_UNAVAILABLE' && code !== 'INTERNAL_SERVER_ERROR') continue;
      refused.add(name);
      const isRight = failure === 'SERVICE_UNAVAILABLE' && retryable === true && /again/.test(String(suggestedFix));
      if (!isRight) wrong.push(`${name}: ${failure} ${String(code)} ${message}`);
    }
  }
  assert.deepEqual(wrong, []);
  const others = fields.map(({ name }) => name).filter((name) => !refused.has(name));
  assert.deepEqual(others.sort(), WITHOUT_WRITES.trim().split(/\s+/));
});
