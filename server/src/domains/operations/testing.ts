import type { Person, TestCatalog } from '../catalog/testing.ts';

/** A signed-in operator of the server. */
export async function operatorOf(api: TestCatalog, username: string): Promise<Person> {
  const person = await api.person(username);
  await api.rows('update accounts set is_operator = true where id = $1', [person.accountId]);
  return api.signedIn(person);
}
