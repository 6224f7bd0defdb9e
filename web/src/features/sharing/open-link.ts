import { useQuery } from '@tanstack/react-query';
import { ApiError, unreachable } from '../../lib/api.ts';
import type { Playback } from '../embed/token-player.tsx';

/** The response of POST /api/share-links/open. */
export interface SharedPlayback extends Playback {
  /** Id of the content. */
  readonly content: string;
  readonly summary: string;
  readonly channel: { readonly title: string; readonly handle: string };
  /** Opens the link again for some hours, without its password and without being counted. */
  readonly pass: string;
}

const passKey = (token: string): string => `share-pass ${token}`;

/** Opens a link, with the pass of an earlier visit in this browser. Throws ApiError. */
async function openLink(token: string, password: string | null): Promise<SharedPlayback> {
  const response = await fetch('/api/share-links/open', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, password, pass: localStorage.getItem(passKey(token)) }),
  }).catch(() => {
    throw unreachable();
  });
  const body: SharedPlayback & { errors?: Record<'message' | 'code' | 'field' | 'suggestedFix', string>[] } =
    await response.json().catch(() => ({}));
  const [error] = body.errors ?? [];
  if (error) {
    const { message, code, field, suggestedFix } = error;
    throw new ApiError({ message, extensions: { code, field, suggestedFix } });
  }
  if (!response.ok) throw unreachable();
  localStorage.setItem(passKey(token), body.pass);
  return body;
}

/** What the link with this token plays; its password is null until the viewer has typed it. */
export function useSharedPlayback(token: string, password: string | null) {
  return useQuery({
    queryKey: ['share-link', token, password],
    queryFn: () => openLink(token, password),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
