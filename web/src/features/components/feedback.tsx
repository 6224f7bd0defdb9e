import { ApiError } from '../../lib/api.ts';
import { Button, buttonClass, Spinner } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, ErrorNotice, FailureList } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Progress } from '../../ui/progress.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Section } from './section.tsx';

export function Buttons() {
  return (
    <Section
      title="Buttons"
      hint="One primary action in each view; a running action keeps its focus and shows a spinner."
    >
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary">Publish</Button>
        <Button>Copy link</Button>
        <Button look="quiet">
          <Icon name="flag" className="size-5" /> Report
        </Button>
        <Button look="danger">Delete video</Button>
        <Button busy>Saving</Button>
        <Button look="primary" disabled>
          Publish
        </Button>
        <a href="#main" className={buttonClass()}>
          A link
        </a>
      </div>
      <SaveBar busy={false} saved />
    </Section>
  );
}

const FAILED = new ApiError({
  message: 'The video could not be published.',
  extensions: {
    code: 'FAILED_PRECONDITION',
    suggestedFix: 'Wait until it is processed, then publish it again.',
    documentation: '/docs/errors/failed_precondition',
  },
});

export function Messages() {
  return (
    <Section
      title="Messages"
      hint="What happened, what to do, and where to read more; an empty list says how to fill it."
    >
      <ErrorNotice error={FAILED} action={<Button>Try again</Button>} />
      <FailureList lines={['Harbour at night: the video is being processed.']} />
      <Panel title="Playlists" hint="Public playlists are on the page of the channel.">
        <Empty title="No playlists yet" action={<Button look="primary">New playlist</Button>}>
          Put videos that belong together into one list.
        </Empty>
      </Panel>
      <Button onClick={() => showToast({ text: 'Added to Watch later.', undo: () => showToast(null) })}>
        Show a toast
      </Button>
    </Section>
  );
}

export function Progresses() {
  return (
    <Section title="Progress" hint="A percentage where it is known, otherwise a spinner beside words.">
      <div className="max-w-md space-y-4">
        <Progress label="Uploading" percent={62} />
        <p className="flex items-center gap-3 text-muted">
          <Spinner /> Loading comments…
        </p>
      </div>
    </Section>
  );
}
