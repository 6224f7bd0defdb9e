/** Runs a query, or fails. */
export type Ask = <Data>(query: string) => Promise<Data>;
