import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GraphQLEnumType, isRequiredArgument } from 'graphql';
import { platformSchema } from './schema.ts';

/** Values that clients compare or display. */
const VALUES: Readonly<Record<string, string>> = {
  SubscriptionState: 'ACTIVE CANCELED PAST_DUE EXPIRED TRIALING',
  ContentType: 'FEATURE SHORT LIVE SERIES EPISODE ANY',
  CreatorVideoSort: 'VIEWS WATCH_MINUTES UNIQUE_VIEWERS LIKES COMMENTS RELEASE_DATE',
  TranscodeJobStatus: 'CANCELLED CANCELLING COMPLETE ERROR IDLE NONE QUEUED TRANSCODING UNKNOWN',
  ContentLayout: 'LANDSCAPE PORTRAIT VR',
  VideoContentType: 'VR LANDSCAPE_VIDEO PORTRAIT_VIDEO SHORT',
  VideoFormat: 'HLS DASH MP4 WEBM',
  ImageFormat: 'JPEG PNG WEBP AVIF',
  ImagePurpose: 'THUMBNAIL POSTER BANNER AVATAR SOCIAL_SHARE BACKGROUND EQUIRECTANGULAR EQUIRECTANGULAR_STILL OTHER',
  ContentRatingSystem: 'MPAA MSO TV UNKNOWN USA_PR',
  PlanInterval: 'MONTHLY ANNUAL',
};
/** Required arguments of mutations: adding others would break clients. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  createContent: ['input'],
  createPlaylist: ['input'],
  createComment: ['contentId', 'body'],
  publishContent: ['id'],
  submitContentForProcessing: ['id'],
  followChannel: ['channel'],
};

describe('compatibility with the published names', () => {
  const schema = platformSchema();

  for (const [name, values] of Object.entries(VALUES)) {
    it(`has the values of ${name}`, () => {
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
    it(`requires no additional arguments of ${name}`, () => {
      const field = schema.getMutationType()?.getFields()[name];
      assert.ok(field);
      assert.deepEqual(
        field.args.filter((arg) => isRequiredArgument(arg) && !known.includes(arg.name)).map((arg) => arg.name),
        [],
      );
    });
  }

  it('deprecates the old of two spellings', () => {
    const fields = schema.getMutationType()?.getFields() ?? {};
    for (const name of ['like', 'unlike', 'follow', 'unfollow', 'createCommentByLrn'])
      assert.ok(fields[name]?.deprecationReason, name);
  });
});
