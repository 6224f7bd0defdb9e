import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ContentKind,
  MoveEpisode,
  MoveSeason,
  MoveTargets,
  type MoveTargetsResult,
  type StudioContentFragment,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { Button, Spinner } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';

interface Properties {
  readonly child: StudioContentFragment;
  /** The current parent. */
  readonly parentId: string;
  readonly channelId: string;
  readonly onMoved: () => void;
}

/** Kinds that can contain a season or an episode. */
const PARENT_KINDS: Readonly<Record<'SEASON' | 'EPISODE', readonly ContentKind[]>> = {
  SEASON: ['SERIES'],
  EPISODE: ['SEASON', 'MINISERIES'],
};

type Target = NonNullable<NonNullable<MoveTargetsResult['channel']>['contents']>['edges'][number]['node'];
const nameOf = ({ parent, metadata }: Target): string =>
  parent ? `${parent.metadata.title}: ${metadata.title}` : metadata.title;

/** Moves an episode to another season or miniseries, or a season to another series. */
export function MoveChild(properties: Properties) {
  const [open, setOpen] = useState(false);
  const { title } = properties.child.metadata;
  return (
    <>
      <Button
        look="quiet"
        className="max-sm:-ms-2.5"
        aria-label={t`Move… ${title}`}
        onClick={() => setOpen(true)}
      >{t`Move…`}</Button>
      {open && <Destination {...properties} onClose={() => setOpen(false)} />}
    </>
  );
}

function Destination({ child, parentId, channelId, onMoved, onClose }: Properties & { readonly onClose: () => void }) {
  const seasons = child.kind === 'SEASON';
  const [chosen, setChosen] = useState<string | null>(null);
  const kinds = PARENT_KINDS[seasons ? 'SEASON' : 'EPISODE'];
  const { data, error } = useQuery({ ...operationQuery(MoveTargets, { id: channelId, kinds }), gcTime: 0 });
  const targets = (data?.channel?.contents?.edges ?? []).map(({ node }) => node).filter(({ id }) => id !== parentId);
  const to = chosen ?? targets[0]?.id ?? null;
  const move = async (): Promise<void> => {
    await (seasons ? api(MoveSeason, { id: child.id, to }) : api(MoveEpisode, { id: child.id, to }));
    onMoved();
  };
  return (
    <Confirm
      open
      title={t`Move ${child.metadata.title}`}
      confirmLabel={t`Move`}
      look="primary"
      ready={to !== null}
      onConfirm={move}
      onClose={onClose}
    >
      {error !== null && <ErrorNotice error={error} />}
      {!data && error === null && (
        <p role="status" className="flex items-center gap-2 text-muted">
          <Spinner /> {t`Loading destinations…`}
        </p>
      )}
      {data && targets.length === 0 && (
        <p>
          {seasons
            ? t`There is no other series. Create one first.`
            : t`There is no other season or miniseries. Create one first.`}
        </p>
      )}
      {targets.length > 0 && (
        <SelectField
          label={t`Destination`}
          hint={t`It is added to the end. Its link, comments and analytics are kept.`}
          value={to ?? ''}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {targets.map((target) => (
            <option key={target.id} value={target.id}>
              {nameOf(target)}
            </option>
          ))}
        </SelectField>
      )}
    </Confirm>
  );
}
