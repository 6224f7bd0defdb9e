/** A request to a route besides GraphQL, with a text at one place. */
export interface RestCase {
  readonly name: string;
  /** Characters of the text. */
  readonly most: number;
  readonly request: (text: string) => {
    readonly path: string;
    readonly method: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}
