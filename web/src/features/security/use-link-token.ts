import { useEffect, useState } from 'react';

/** The token of the link in a message, behind # in the address, which is removed from it at once; '' without one. */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return token;
}
