/** The password as the sign-in library stores and compares it (scrypt); it is loaded with the first one. */
export async function hashPassword(password: string): Promise<string> {
  const library = await import('better-auth/crypto');
  return library.hashPassword(password);
}
