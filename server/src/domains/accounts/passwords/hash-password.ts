/** How passwords are stored and compared. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(stored: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

/** The password as the sign-in library stores and compares it (scrypt); it is loaded with the first one. */
export async function hashPassword(password: string): Promise<string> {
  const library = await import('better-auth/crypto');
  return library.hashPassword(password);
}

/** Whether this is the password behind the hash. */
export async function isPassword(hash: string, password: string): Promise<boolean> {
  const library = await import('better-auth/crypto');
  return library.verifyPassword({ hash, password });
}
