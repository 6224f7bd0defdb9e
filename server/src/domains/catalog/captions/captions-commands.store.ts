import {
  assignments,
  type BasedOn,
  type CommandScope,
  type CommandTarget,
  insertion,
  type RowScope,
} from '../../../gql/index.ts';
import { CAPTIONS_FIELDS, type CaptionsChanges, type CaptionsValues } from '../../assets/index.ts';
import { channelFacts } from '../../channels/index.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';

/** Maximum number of captions that can be added to a content. */
export const MAX_CAPTIONS = 50;

/** The facts for the policy, and whether the limit or another rule blocks the command. */
function contentColumns(s: Pick<RowScope, 'viewer' | 'credential'>, blocked: string): Readonly<Record<string, string>> {
  return {
    content_id: 'c.id',
    channel_id: 'c.channel_id',
    ...channelFacts(s, 'c.channel_id', 'asset:upload'),
    open: `c.effective_visibility <> 'PRIVATE'`,
    status: 'c.status',
    blocked,
  };
}

const EVENT = `
    insert into events (type, channel_id, subject_id, payload)
    select 'captions.updated', channel_id, content_id, jsonb_build_object('captionsId', id) from changed`;
/** At most one per content is the default, and at most one per language is forced: `t.forced_in` is its language. */
const cleared = (becomesDefault: string, id: string) => `
    update captions o set is_default = o.is_default and not ${becomesDefault},
      is_forced = o.is_forced and o.language is distinct from t.forced_in
    from permitted t
    where o.content_id = t.content_id and o.id <> ${id}
      and ((${becomesDefault} and o.is_default) or (o.is_forced and o.language = t.forced_in))`;

export interface NewCaptions extends ContentTarget {
  readonly captionsId: string;
  readonly values: CaptionsValues;
}

/** The content that captions are added to; `blocked` when it has reached the limit. */
export const NEW_CAPTIONS_TARGET: CommandTarget<NewCaptions> = {
  field: 'id',
  from: (s) => `
    join contents c on c.id = ${s.value((i) => i.id, 'uuid')} and c.kind = ${s.value((i) => i.kind, 'text')}
      and c.deleted_at is null
    for update of c`,
  columns: (s) => ({
    ...contentColumns(
      s,
      '(select count(*) from captions o where o.content_id = c.id and o.video_asset_id is null ' +
        `and o.automatic is null) >= ${MAX_CAPTIONS}`,
    ),
    ...forcedColumns(
      s.value((i) => i.values.isForced, 'boolean'),
      s.value((i) => i.values.kind, 'text'),
      s.value((i) => i.values.language, 'text'),
    ),
  }),
};

/** The language in which captions are forced, and whether they are descriptions, which cannot be. */
function forcedColumns(isForced: string, kind: string, language: string) {
  return {
    forced_in: `case when ${isForced} then ${language} end`,
    forced_descriptions: `(${isForced} and ${kind} = 'DESCRIPTIONS')`,
  };
}

/** Adds captions to a content. */
export function createCaptionsWrites(s: CommandScope<NewCaptions>) {
  const id = s.value((i) => i.captionsId, 'uuid');
  const { columns, values } = insertion(s, CAPTIONS_FIELDS, (input) => input.values);
  return {
    cleared: cleared(
      s.value((i) => i.values.isDefault, 'boolean'),
      id,
    ),
    changed: `
    insert into captions (id, channel_id, content_id, ${columns}, created_at, updated_at)
    select ${id}, t.channel_id, t.content_id, ${values}, ${s.now}, ${s.now}
    from permitted t
    returning *`,
    event: EVENT,
  };
}

/** Parsed input of updateContentCaptions. */
export interface CaptionsUpdate extends BasedOn {
  readonly captionsId: string;
  readonly changes: CaptionsChanges;
  /** The version of the text that they are based on; null for any. */
  readonly ifVersion: number | null;
}

/** The captions that are changed; `blocked` when they were found in the video file. */
export const CAPTIONS_TARGET: CommandTarget<{ readonly captionsId: string }> = {
  field: 'id',
  from: (s) => `
    join captions p on p.id = ${s.value((i) => i.captionsId, 'uuid')}
    join contents c on c.id = p.content_id and c.deleted_at is null
    for update of c, p`,
  columns: (s) => ({ id: 'p.id', content_id: 'c.id', ...contentColumns(s, 'p.video_asset_id is not null') }),
};

/** As `CAPTIONS_TARGET`, with what they become, and whether their text is another one by now. */
export const CHANGED_CAPTIONS_TARGET: CommandTarget<CaptionsUpdate> = {
  ...CAPTIONS_TARGET,
  columns: (s) => ({
    ...CAPTIONS_TARGET.columns(s),
    ...forcedColumns(
      `coalesce(${s.value(({ changes }) => changes.isForced, 'boolean')}, p.is_forced)`,
      `coalesce(${s.value(({ changes }) => changes.kind, 'text')}, p.kind)`,
      `coalesce(${s.value(({ changes }) => changes.language, 'text')}, p.language)`,
    ),
    outdated: `p.version <> coalesce(${s.value((i) => i.ifVersion, 'integer')}, p.version)`,
  }),
};

/**
 * Updates the given columns; a new text creates a new version, with a new address. Automatic captions whose text a
 * person has edited are no longer automatic.
 */
export function updateCaptionsWrites(s: CommandScope<CaptionsUpdate>) {
  const becomesDefault = s.value(({ changes }) => changes.isDefault === true, 'boolean');
  const isRewritten = `coalesce(${s.value(({ changes }) => changes.text, 'text')} <> p.vtt, false)`;
  return {
    cleared: cleared(becomesDefault, 't.id'),
    changed: `
    update captions p set ${assignments(s, CAPTIONS_FIELDS, 'p', ({ changes }) => changes)},
      version = p.version + ${isRewritten}::int, automatic = case when not ${isRewritten} then p.automatic end,
      spoken_in = case when not ${isRewritten} then p.spoken_in end, updated_at = ${s.now}
    from permitted t where p.id = t.id
    returning p.*`,
    event: EVENT,
  };
}

/** Removes captions. */
export function deleteCaptionsWrites() {
  return {
    changed: 'delete from captions p using permitted t where p.id = t.id returning p.id, p.channel_id, p.content_id',
    event: EVENT,
  };
}
