import assert from 'node:assert/strict';
import { type Person, type TestCatalog, uuidOf } from '../testing.ts';

export const SERIES =
  'mutation ($input: CreateSeriesInput!) { createSeries(input: $input) ' + '{ content { id kind status } } }';
export const SEASON =
  'mutation ($input: CreateSeasonInput!) { createSeason(input: $input) ' +
  '{ content { id kind status metadata { title number } parent { id } } } }';
export const EPISODE =
  'mutation ($input: CreateEpisodeInput!) { createEpisode(input: $input) ' +
  '{ content { id kind status metadata { number } } } }';

export interface Listed {
  readonly totalCount: number;
  readonly edges: readonly { readonly node: { readonly id: string } }[];
}
export const idsOf = ({ edges }: Listed): string[] => edges.map(({ node }) => node.id);

/** Creates series, seasons and episodes of a person. */
export class SeriesFixture {
  readonly #api: TestCatalog;
  readonly #owner: Person;

  constructor(api: TestCatalog, owner: Person) {
    this.#api = api;
    this.#owner = owner;
  }

  async create(document: string, variables: Record<string, unknown>): Promise<string> {
    const data = (await this.#api.ok(this.#owner, document, variables)) as Record<string, { content: { id: string } }>;
    return Object.values(data)[0]?.content.id ?? '';
  }

  serie(): Promise<string> {
    return this.create(SERIES, { input: { title: 'Hills' } });
  }

  season(parent: string): Promise<string> {
    return this.create(SEASON, { input: { series: parent, title: 'Season' } });
  }

  episode(parent: string, number?: number): Promise<string> {
    return this.create(EPISODE, { input: { parent, title: 'Episode', number } });
  }

  /** An episode that can be published. */
  async ready(parent: string): Promise<string> {
    const id = await this.episode(parent);
    await this.#api.rows("update contents set status = 'READY' where id = $1", [uuidOf(id)]);
    return id;
  }

  /** Numbers of the children of a parent outside the trash, in order, by the given ids. */
  async numbers(parent: string, names: Record<string, string>): Promise<string> {
    const { content } = await this.#api.ok(
      this.#owner,
      'query ($id: DID!) { content(id: $id) { children(first: 100) { totalCount edges { node { id metadata { number ' +
        '} } } } } }',
      { id: parent },
    );
    const edges = content.children.edges as { node: { id: string; metadata: { number: number } } }[];
    assert.equal(content.children.totalCount, edges.length);
    return edges
      .map(({ node }) => `${Object.keys(names).find((name) => names[name] === node.id)}${node.metadata.number}`)
      .join(' ');
  }
}
