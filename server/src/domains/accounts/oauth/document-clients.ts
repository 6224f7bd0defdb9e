import type { ClientDiscovery } from '@better-auth/oauth-provider';
import { registerClientMetadataDocument } from '@better-auth/oauth-provider/internal';
import { APIError, isAPIError } from 'better-auth/api';
import type { Clock } from '../../../platform/clock.ts';
import { WeightedCache } from '../../../platform/weighted-cache.ts';
import { isDocumentAddress, type MetadataDocuments } from './metadata-document.ts';

const DISCOVERY = 'metadata-document';
/** Addresses whose next reading is known; others are read again. */
const MAX_KNOWN = 10_000;

/**
 * Applications whose client_id is the address of a document about them, for the sign-in library; see ADR 0102. They are
 * stored like registered ones. Only an authorization request reads the document: what follows uses what was stored
 * when the person was asked.
 */
export function documentClients(documents: MetadataDocuments, clock: Clock): ClientDiscovery {
  const freshUntil = new WeightedCache<number>(MAX_KNOWN);
  return {
    id: DISCOVERY,
    matches: isDocumentAddress,
    discoveryMetadata: { client_id_metadata_document_supported: true },
    async resolve(context, clientId, existing) {
      if (context.path !== '/oauth2/authorize') return existing;
      if (existing && (freshUntil.get(clientId) ?? 0) > clock.now()) return existing;
      const document = await documents.read(clientId);
      if ('error' in document) throw new APIError('BAD_REQUEST', { ...document });
      const { client } = await registerClientMetadataDocument(context, providerOptions(context), {
        metadata: { client_id: clientId, ...document.metadata },
        clientId,
        clientDiscoveryId: DISCOVERY,
        ...(existing ? { existingClient: existing } : {}),
      }).catch(asInvalidClient);
      freshUntil.set(clientId, clock.now() + document.freshMs);
      return client;
    },
  };
}

function providerOptions({ context }: Parameters<ClientDiscovery['resolve']>[0]) {
  const provider = context.getPlugin('oauth-provider');
  if (!provider) throw new Error('The sign-in library has no OAuth provider.');
  return provider.options;
}

/** The library's rules of redirect URIs and application types, as for a registration. */
function asInvalidClient(error: unknown): never {
  if (!isAPIError(error)) throw error;
  const { error_description: why = '' } = error.body ?? {};
  throw new APIError('BAD_REQUEST', {
    error: 'invalid_client',
    error_description: `The metadata document is refused: ${why}.`,
  });
}
