import type { CommandScope } from '../../../gql/index.ts';
import { isMember, mayInChannel } from '../../channels/index.ts';
import type { ContentTarget } from '../content-commands.store.ts';

export const CAPTIONS_KINDS = ['SUBTITLES', 'CAPTIONS', 'DESCRIPTIONS'] as const;
export type CaptionsKind = (typeof CAPTIONS_KINDS)[number];
/** How many captions may be added to a content. */
export const MAX_CAPTIONS = 50;

const V = { viewer: 'v' } as const;
const FACTS = `c.id as content_id, c.channel_id, ${isMember(V, 'c.channel_id')} as member, ${mayInChannel(V, 'c.channel_id', 'asset:upload')} as may,
           c.reach <> 'NONE' as open, c.status`;

/** All null where there is no such content or captions. */
export const CAPTIONS_FACTS = {
  member: 'select member from target',
  may: 'select may from target',
  open: 'select open from target',
  status: 'select status from target',
  /** They were found in the video file, or there are as many as there may be. */
  barred: 'select barred from target',
} as const;

const EVENT = `
    insert into events (type, channel_id, subject_id, payload)
    select 'captions.updated', channel_id, content_id, jsonb_build_object('captionsId', id) from changed`;
/** One of a content is the default at most. */
const cleared = (wanted: string, id: string) => `
    update captions o set is_default = false from target t
    where ${wanted} and t.may and not t.barred and o.content_id = t.content_id and o.is_default and o.id <> ${id}`;

export interface NewCaptions extends ContentTarget {
  readonly captionsId: string;
  readonly language: string;
  readonly label: string;
  readonly captionsKind: CaptionsKind;
  readonly isDefault: boolean;
  /** WebVTT. */
  readonly vtt: string;
}

/** Adds captions to a content. */
export function createCaptionsCtes(s: CommandScope<NewCaptions>) {
  const [id, isDefault] = [s.value((i) => i.captionsId, 'uuid'), s.value((i) => i.isDefault, 'boolean')];
  return {
    target: `
    select ${FACTS}, (select count(*) from captions o where o.content_id = c.id and o.video_asset_id is null) >= ${MAX_CAPTIONS} as barred
    from ${s.allowed} v
    join contents c on c.id = ${s.value((i) => i.id, 'uuid')} and c.kind = ${s.value((i) => i.kind, 'text')} and c.deleted_at is null
    for update of c`,
    cleared: cleared(isDefault, id),
    changed: `
    insert into captions (id, channel_id, content_id, language, label, kind, is_default, vtt, created_at, updated_at)
    select ${id}, t.channel_id, t.content_id, ${s.value((i) => i.language, 'text')}, ${s.value((i) => i.label, 'text')},
           ${s.value((i) => i.captionsKind, 'text')}, ${isDefault}, ${s.value((i) => i.vtt, 'text')}, ${s.now}, ${s.now}
    from target t where t.may and not t.barred
    returning *`,
    event: EVENT,
  };
}

export interface CaptionsChanges {
  readonly captionsId: string;
  readonly language: string | null;
  readonly label: string | null;
  readonly captionsKind: CaptionsKind | null;
  readonly isDefault: boolean | null;
  readonly vtt: string | null;
}

function existing(s: CommandScope<{ readonly captionsId: string }>): string {
  return `
    select p.id, ${FACTS}, p.video_asset_id is not null as barred from ${s.allowed} v
    join captions p on p.id = ${s.value((i) => i.captionsId, 'uuid')}
    join contents c on c.id = p.content_id and c.deleted_at is null
    for update of c`;
}

/** Changes what is given; a new text makes a new version, with a new address. */
export function updateCaptionsCtes(s: CommandScope<CaptionsChanges>) {
  const [vtt, isDefault] = [s.value((i) => i.vtt, 'text'), s.value((i) => i.isDefault, 'boolean')];
  return {
    target: existing(s),
    cleared: cleared(`${isDefault} is true`, 't.id'),
    changed: `
    update captions p set language = coalesce(${s.value((i) => i.language, 'text')}, p.language), label = coalesce(${s.value((i) => i.label, 'text')}, p.label),
      kind = coalesce(${s.value((i) => i.captionsKind, 'text')}, p.kind), is_default = coalesce(${isDefault}, p.is_default),
      vtt = coalesce(${vtt}, p.vtt), version = p.version + (${vtt} is not null)::int, updated_at = ${s.now}
    from target t where p.id = t.id and t.may and not t.barred
    returning p.*`,
    event: EVENT,
  };
}

/** Removes captions. */
export function deleteCaptionsCtes(s: CommandScope<{ readonly captionsId: string }>) {
  return {
    target: existing(s),
    changed:
      'delete from captions p using target t where p.id = t.id and t.may and not t.barred returning p.id, p.channel_id, p.content_id',
    event: EVENT,
  };
}
