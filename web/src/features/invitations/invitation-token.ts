const KEY = 'reelgraph:invitation';

/**
 * The token of an invitation's link, '' without one. It is taken out of the address at once, and kept in this tab while
 * the visitor signs in.
 */
export function takeInvitationToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  try {
    if (given !== null) sessionStorage.setItem(KEY, given);
    return given ?? sessionStorage.getItem(KEY) ?? '';
  } catch {
    return given ?? ''; // without storage, the link has to be opened again after the sign-in
  }
}

/** Forgets it, once the invitation was answered. */
export function forgetInvitationToken(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There is no storage, so nothing was kept.
  }
}
