import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Client, documentIdOf, formatDid } from '../../../gql/index.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { FIREFOX, openTestEngagement, type TestEngagement } from '../testing.ts';

const CARD = `query Card($id: DID!) { content(id: $id) { card { title image { id } variant } } }`;
const LIST = `query Cards { contents(first: 50) { edges { node { id card { title image { id } variant } } } } }`;
export const TEST = `query ($id: DID!) { content(id: $id) { test {
  id state endReason explanation applyWinner minDays maxDays startedAt endedAt appliedAt
  winner { label } applied { label }
  variants { totalCount edges { node { id label title image { id } impressions clicks clickThroughRate viewersClicked
    lift liftLow liftHigh chanceToBeBest } } } } } }`;
export const START = `mutation ($id: DID!, $input: StartContentTestInput!) { 
  startContentTest(id: $id, input: $input) { test {
  id state } } }`;

/** A card as a viewer gets it. */
export interface Card {
  readonly title: string;
  readonly image: { readonly id: string } | null;
  readonly variant: string | null;
}

/** A viewer: an account, or a browser. */
export interface TestViewer {
  readonly account?: Person;
  readonly address?: string;
  readonly userAgent?: string;
  readonly doNotTrack?: boolean;
}

/** Contents with running tests and their viewers, on the whole API. */
export interface TestedContents extends TestEngagement {
  /** An image of a content; returns its DID. */
  image(content: string, purpose?: string): Promise<string>;
  card(content: string, viewer: TestViewer): Promise<Card>;
  /** The card of a content in the list of all contents. */
  listed(content: string, viewer: TestViewer): Promise<Card>;
  /** Shows a viewer the card that they get, who follows it or not. */
  show(content: string, viewer: TestViewer, options: { readonly follow: boolean }): Promise<void>;
  /** Starts a test; fails the test unless that succeeds. */
  start(content: string, variants: readonly object[], more?: object): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: responses vary with the documents; assertions check them
  test(content: string, who?: Person): Promise<any>;
  /** Everything that a refused call must not change. */
  stored(content: string): Promise<unknown>;
}

/** A browser at the address with this number. */
export function browser(index: number): TestViewer {
  return { address: `203.0.${Math.floor(index / 250)}.${index % 250}` };
}

export async function openTestedContents(): Promise<TestedContents> {
  const documents = new Map([CARD, LIST].map((text) => [documentIdOf(text), text]));
  const fixture = await openTestEngagement({ trustedDocuments: documents });
  const { catalog, owner } = fixture;
  // The first request of a day reads its salt.
  await fixture.track([fixture.event(await fixture.video(), randomUUID(), 0)]);

  const read = async (text: string, variables: object, { account, ...browser }: TestViewer) => {
    const client: Client = { address: '', userAgent: FIREFOX, doNotTrack: false, ...browser };
    const { body } = await catalog.domains.engine.execute({
      ...{ documentId: documentIdOf(text), variables: { ...variables }, client },
      credential: account?.credential ?? { kind: 'anonymous' },
      ...{ queriesOnly: true, requestId: 'test', signal: new AbortController().signal },
    });
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the document
    return JSON.parse(JSON.stringify(body.data)) as any;
  };
  const tested: TestedContents = {
    ...fixture,
    async image(content, purpose = 'OTHER') {
      catalog.clock.advance(1);
      const id = newId(catalog.clock.now());
      await catalog.rows(
        `insert into image_assets (id, channel_id, content_id, purpose, alt, width, height, mime_type, size_bytes,
           object_prefix, variants, dominant_color, blurhash, created_at)
         select $1, c.channel_id, c.id, $3, '', 1, 1, 'image/jpeg', 1, $4,
           '[{"file":"a.jpg","width":1,"height":1,"format":"JPEG"}]', '#000000', 'L00000', $5
         from contents c where c.id = $2`,
        [id, uuidOf(content), purpose, `images/${id}/`, new Date(catalog.clock.now()).toISOString()],
      );
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'imageAsset', id);
    },
    card: async (content, viewer) => (await read(CARD, { id: content }, viewer)).content.card,
    async listed(content, viewer) {
      const { contents } = await read(LIST, {}, viewer);
      const edge = contents.edges.find((each: { node: { id: string } }) => each.node.id === content);
      return edge?.node.card ?? assert.fail('the content is in the list');
    },
    async show(content, viewer, { follow }) {
      const { variant } = await tested.card(content, viewer);
      const visit = randomUUID();
      const impression = fixture.event(content, visit, 0, { kind: 'IMPRESSION', variant });
      const click = fixture.event(content, visit, 1, { kind: 'CLICK' });
      const { results } = await fixture.track(follow ? [impression, click] : [impression], viewer);
      assert.deepEqual(
        results.map(({ error }) => error),
        results.map(() => null),
      );
    },
    async start(content, variants, more = {}) {
      await catalog.ok(owner, START, { id: content, input: { variants, applyWinner: false, ...more } });
    },
    test: async (content, who = owner) => (await catalog.ok(who, TEST, { id: content })).content.test,
    stored: async (content) => [
      await catalog.rows('select * from contents where id = $1', [uuidOf(content)]),
      await catalog.rows('select id, purpose from image_assets where content_id = $1 order by id', [uuidOf(content)]),
      await catalog.rows('select * from content_tests where content_id = $1 order by id', [uuidOf(content)]),
      await catalog.rows('select count(*)::integer as events from events where subject_id = $1', [uuidOf(content)]),
    ],
  };
  return tested;
}
