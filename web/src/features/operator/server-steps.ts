import type { ServerStepsResult, SignUpPolicy } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';
import type { Step } from '../../ui/step-list.tsx';

const DEFAULT_NAME = 'Reelgraph';

const POLICIES: Readonly<Record<SignUpPolicy, string>> = {
  OPEN: t`Everyone can create an account now.`,
  INVITE: t`Only people with an invitation can create an account now. You create invitations in the admin area.`,
  CLOSED: t`Nobody can create an account now.`,
};

/** What an operator does first on a new server, in order. */
export function serverSteps({ instance, invitations, serverStatus: { checks, counts } }: ServerStepsResult): Step[] {
  const mail = checks.find(({ part }) => part === 'MAIL');
  return [
    {
      id: 'name',
      title: t`Give the server a name and a logo`,
      text: t`They are shown on every page, in previews of links and in mail.`,
      ...({ to: '/admin/settings', action: t`Go to settings` } as const),
      isDone: instance.name !== DEFAULT_NAME,
    },
    {
      id: 'mail',
      title: t`Set up mail`,
      text: mail?.message ?? '',
      ...({ to: '/admin', action: t`Go to health` } as const),
      isDone: mail?.state === 'OK',
    },
    {
      id: 'sign-up',
      title: t`Choose who can sign up`,
      text: POLICIES[instance.signUp],
      ...({ to: '/admin/settings', action: t`Go to settings` } as const),
      isDone: counts.accounts > 1 || invitations.totalCount > 0 || instance.signUp === 'CLOSED',
    },
    {
      id: 'video',
      title: t`Upload the first video`,
      text: t`It stays private until you choose who can watch.`,
      ...({ to: '/studio', action: t`Go to Studio` } as const),
      isDone: counts.contents > 0,
    },
  ];
}
