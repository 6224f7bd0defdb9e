import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { TokenPlayer } from '../../features/embed/token-player.tsx';
import { type SharedPlayback, useSharedPlayback } from '../../features/sharing/open-link.ts';
import { ApiError } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';

const route = getRouteApi('/share/$token');

/** The page of a link to a private video: its password, where it has one, then the video. */
export function SharePage() {
  const { token } = route.useParams();
  const [password, setPassword] = useState<string | null>(null);
  const { data, error, isFetching, refetch } = useSharedPlayback(token, password);
  if (data) return <Shared playback={data} />;
  if (error instanceof ApiError && (error.field === 'password' || error.code === 'RATE_LIMIT_EXCEEDED'))
    return (
      <PasswordForm
        error={password === null ? null : error}
        busy={isFetching}
        onSubmit={(typed) => (typed === password ? void refetch() : setPassword(typed))}
      />
    );
  if (isFetching)
    return (
      <p role="status" className="grid place-items-center py-24">
        <Spinner className="size-10" />
        <span className="sr-only">{t`Loading…`}</span>
      </p>
    );
  return (
    <div className="mx-auto max-w-xl py-12">
      <title>{`${t`Shared video`} · ${siteName()}`}</title>
      {error instanceof ApiError ? (
        <Empty title={error.message} action={null}>
          {error.suggestedFix ?? ''}
        </Empty>
      ) : (
        <ErrorNotice error={error} />
      )}
    </div>
  );
}

function Shared({ playback }: { playback: SharedPlayback }) {
  const { title, summary, channel, content } = playback;
  return (
    <article className="mx-auto max-w-5xl space-y-4">
      <title>{`${title} · ${siteName()}`}</title>
      <div className="-mx-4 -mt-6 overflow-hidden bg-black sm:mx-0 sm:mt-0 sm:rounded-2xl">
        <div className="aspect-video">
          <TokenPlayer contentId={content} playback={playback} from={0} />
        </div>
      </div>
      <h1 className="text-xl leading-tight font-bold [overflow-wrap:anywhere] sm:text-2xl">
        <bdi>{title}</bdi>
      </h1>
      <p className="text-muted">
        <bdi>{channel.title}</bdi> · {t`Shared with you by a private link`}
      </p>
      {summary && (
        <p dir="auto" className="max-w-3xl whitespace-pre-line [overflow-wrap:anywhere]">
          {summary}
        </p>
      )}
    </article>
  );
}

interface FormProperties {
  /** Of the last password; null before the first one. */
  readonly error: ApiError | null;
  readonly busy: boolean;
  readonly onSubmit: (password: string) => void;
}

function PasswordForm({ error, busy, onSubmit }: FormProperties) {
  return (
    <form
      className="mx-auto max-w-md space-y-4 py-12"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(String(new FormData(event.currentTarget).get('password') ?? ''));
      }}
    >
      <title>{`${t`Shared video`} · ${siteName()}`}</title>
      <h1 className="text-3xl font-bold">{t`This video has a password`}</h1>
      <p className="text-muted">{t`Whoever sent you the link can tell you the password.`}</p>
      <TextField
        label={t`Password`}
        name="password"
        type="password"
        required
        autoComplete="off"
        error={error?.field === 'password' ? error.message : null}
      />
      {error !== null && error.field !== 'password' && <ErrorNotice error={error} />}
      <Button look="primary" type="submit" busy={busy}>{t`Watch`}</Button>
    </form>
  );
}
