import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { OperatorNeeded } from '../../gql/generated/operations.gen.ts';
import { signUpMode } from '../../lib/account.ts';
import { t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { useUser } from '../../lib/session.ts';
import { siteName } from '../../lib/site.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

/** The home page while there are no videos. */
export function EmptyHome() {
  const user = useUser();
  return (
    <>
      {user && !user.isOperator && <ClaimHint />}
      <Empty title={t`No videos on ${siteName()} yet`} action={user !== undefined && <Actions isSignedIn={!!user} />}>
        {t`Published videos appear here.`}
      </Empty>
    </>
  );
}

function Actions({ isSignedIn }: { readonly isSignedIn: boolean }) {
  if (isSignedIn) return <Link to="/studio" className={buttonClass('primary')}>{t`Upload a video`}</Link>;
  return (
    <p className="flex flex-wrap justify-center gap-3">
      {signUpMode() === 'open' && <Link to="/sign-up" className={buttonClass('primary')}>{t`Create an account`}</Link>}
      <Link to="/sign-in" className={buttonClass('plain')}>{t`Sign in`}</Link>
    </p>
  );
}

/** Where whoever runs a server without an operator becomes one. */
function ClaimHint() {
  const { data } = useQuery(operationQuery(OperatorNeeded));
  if (!data?.me.canClaimOperator) return null;
  return (
    <div className="mb-10">
      <Panel
        title={t`This server has no operator yet`}
        hint={t`If you run it, become its operator with the one-time code that it prints when it starts.`}
      >
        <Link to="/settings/server" className={buttonClass('primary')}>{t`Become an operator`}</Link>
      </Panel>
    </div>
  );
}
