import { useQuery } from '@tanstack/react-query';
import { StreamChat } from '../../gql/generated/operations.gen.ts';
import { operationQuery } from '../../lib/query.ts';

/** Whether the chat of a stream is open, and its address, which `reload` renews. Null where there is none. */
export function useStreamChat(streamId: string) {
  const { data, error, refetch } = useQuery({
    ...operationQuery(StreamChat, { id: streamId }),
    // Each answer has another signature in the address.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const chat = data?.content && 'chat' in data.content ? data.content.chat : null;
  return { chat, error, reload: refetch as () => void };
}
