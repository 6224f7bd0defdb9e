import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type GraphQLField, isObjectType } from 'graphql';
import { platformSchema } from './schema.ts';

/** Fields whose values open something. Operations that select one are answered uncompressed (ADR 0086). */
const SECRET = [
  'CreateInvitationPayload.code',
  'CreateInvitationPayload.url',
  'CreateShareLinkPayload.url',
  'CreateSigningKeyPayload.privateKey',
  'CreateTokenPayload.curlCommand',
  'CreateTokenPayload.value',
  'DataExport.url',
  'DirectUpload.completeEndpoint',
  'DirectUpload.partsEndpoint',
  'GenerateApiKeyPayload.curlCommand',
  'GenerateApiKeyPayload.key',
  'IngestionSession.endpoint',
  'LiveInput.srtPassphrase',
  'LiveInput.streamKey',
  'MailMessage.text',
  'OpenBillingPortalPayload.url',
  'RegenerateApiKeyPayload.curlCommand',
  'RegenerateApiKeyPayload.key',
  'RevealApiKeyPayload.curlCommand',
  'RevealApiKeyPayload.key',
  'StartCheckoutPayload.url',
  'UploadInfo.curlCommand',
  'UploadInfo.endpoint',
  'Webhook.secret',
];
/** Fields with such a name or description that open nothing by themselves. */
const HARMLESS = [
  // Say that something is secret, or until when.
  ...['IngestionSession.direct', 'UploadInfo.direct', 'Webhook.formerSecretUntil', 'ShareLink.hasPassword'],
  // Public halves, details and names.
  ...['GenerateApiKeyPayload.apiKey', 'RegenerateApiKeyPayload.apiKey', 'RevealApiKeyPayload.apiKey'],
  ...['DeveloperSettings.apiKey', 'ContentRating.code'],
  ...['CreateTokenPayload.token', 'DeveloperSettings.tokenPermissions', 'KeyAction.token'],
  ...[
    'AudienceShare.key',
    'CreateSigningKeyPayload.signingKey',
    'SigningKey.publicKey',
    'YouTubeVideoList.nextPageToken',
    'ImportYouTubeLibraryResult.nextPageToken',
  ],
];
const SUSPECT_NAME = /key$|secret|token|password|endpoint|curl|^code$/i;
const SUSPECT_TEXT = /keep (?:it|them) secret|kept secret|shown only|\bsecret\b|private half|anyone who has/i;

describe('secret fields', () => {
  const fields: { path: string; field: GraphQLField<unknown, unknown> }[] = [];
  for (const type of Object.values(platformSchema().getTypeMap()))
    if (isObjectType(type) && !type.name.startsWith('__') && !/^(?:Query|Mutation|Subscription)$/.test(type.name))
      for (const field of Object.values(type.getFields())) fields.push({ path: `${type.name}.${field.name}`, field });

  it('are these', () => {
    const marked = fields.filter(({ field }) => field.extensions.secret === true);
    assert.deepEqual(marked.map(({ path }) => path).sort(), SECRET);
  });

  it('are all that look like one', () => {
    const suspects = fields.filter(
      ({ field }) => SUSPECT_NAME.test(field.name) || SUSPECT_TEXT.test(field.description ?? ''),
    );
    const isErrorCode = (path: string) => /Error\.code$/.test(path);
    assert.deepEqual(
      suspects
        .map(({ path }) => path)
        .filter((path) => !isErrorCode(path) && !HARMLESS.includes(path) && !SECRET.includes(path)),
      [],
    );
  });
});
