import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { GraphQLEnumType, isRequiredArgument, parse, Source, validate } from 'graphql';
import { buildPlatformSchema } from './schema.ts';

const FILE = new URL('./testing/published-names.graphql', import.meta.url);
/** Values that clients compare with or show. */
const VALUES: Readonly<Record<string, string>> = {
  SubscriptionState: 'ACTIVE CANCELED PAST_DUE EXPIRED TRIALING',
  TranscodeJobStatus: 'CANCELLED CANCELLING COMPLETE ERROR IDLE NONE QUEUED TRANSCODING UNKNOWN',
  ContentLayout: 'LANDSCAPE PORTRAIT VR',
  VideoContentType: 'VR LANDSCAPE_VIDEO PORTRAIT_VIDEO SHORT',
  VideoFormat: 'HLS DASH MP4 WEBM',
  ImageFormat: 'JPEG PNG WEBP AVIF',
  ImagePurpose: 'THUMBNAIL POSTER BANNER AVATAR SOCIAL_SHARE BACKGROUND EQUIRECTANGULAR EQUIRECTANGULAR_STILL OTHER',
  ContentRatingSystem: 'MPAA MSO TV UNKNOWN USA_PR',
  PlanInterval: 'MONTHLY ANNUAL',
};
/** Mutations that take no more than these, so that what was written without others goes on working. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  createContent: ['input'],
  createPlaylist: ['input'],
  createComment: ['contentId', 'body'],
  publishContent: ['id'],
  submitContentForProcessing: ['id'],
  followChannel: ['channel'],
};

describe('a client that was written for the published names', () => {
  const schema = buildPlatformSchema();

  it('finds every field, argument and value it asks for', async () => {
    const document = parse(new Source(await readFile(FILE, 'utf8'), 'published-names.graphql'));
    assert.deepEqual(
      validate(schema, document).map(({ message, locations }) => `${locations?.[0]?.line}: ${message}`),
      [],
    );
  });

  for (const [name, values] of Object.entries(VALUES)) {
    it(`knows the values of ${name}`, () => {
      const type = schema.getType(name);
      assert.ok(type instanceof GraphQLEnumType);
      const found = new Set(type.getValues().map((value) => value.name));
      assert.deepEqual(
        values.split(' ').filter((value) => !found.has(value)),
        [],
      );
    });
  }

  for (const [name, known] of Object.entries(REQUIRED)) {
    it(`need not give ${name} more than it did`, () => {
      const field = schema.getMutationType()?.getFields()[name];
      assert.ok(field);
      assert.deepEqual(
        field.args.filter((arg) => isRequiredArgument(arg) && !known.includes(arg.name)).map((arg) => arg.name),
        [],
      );
    });
  }

  it('is told to use the present spelling of what has two', () => {
    const fields = schema.getMutationType()?.getFields() ?? {};
    for (const name of ['like', 'unlike', 'follow', 'unfollow', 'createCommentByLrn'])
      assert.ok(fields[name]?.deprecationReason, name);
  });
});
