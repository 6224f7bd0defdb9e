import type { Client } from '../../../gql/index.ts';
import { clientFactsOf } from '../viewers/client-details.ts';
import type { ViewerIdentity } from '../viewers/viewer-identity.ts';

/** The pseudonyms by which viewers without an account get their variant: those of their impressions. */
export class CardViewers {
  readonly #identity: ViewerIdentity;
  /** Statements of a request ask for the same client. */
  readonly #known = new WeakMap<Client, string | null>();

  constructor(identity: ViewerIdentity) {
    this.#identity = identity;
  }

  /** Null for robots, for requests without an address, and until the salt of a new day was read. */
  of(client: Client, nowMs: number): string | null {
    const known = this.#known.get(client);
    if (known !== undefined) return known;
    const { address, userAgent } = client;
    const counts = address !== '' && !clientFactsOf(userAgent).bot;
    const pseudonym = counts ? this.#identity.ofBrowserAtOnce(address, userAgent, nowMs) : null;
    this.#known.set(client, pseudonym);
    return pseudonym;
  }
}
