import { t } from '../../lib/i18n.ts';
import { Panel } from '../../ui/panel.tsx';

/** What to enter in an encoder. */
export function SetupHelp() {
  const settings = [
    [t`Server`, t`the address of the live input`],
    [t`Stream key`, t`its key: whoever has it can broadcast`],
    [t`Keyframe interval`, t`2 seconds; longer ones make viewers wait`],
    [t`Video`, t`H.264, at a constant bit rate that your connection carries`],
    [t`Audio`, t`AAC`],
  ] as const;
  return (
    <Panel title={t`Set up your encoder`}>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)]">
        {settings.map(([name, value]) => (
          <div key={name} className="sm:contents">
            <dt className="font-semibold">{name}</dt>
            <dd className="text-muted">{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href="/docs/guides/go-live" className="text-accent-text underline underline-offset-3">
          {t`Go live, step by step`}
        </a>
      </p>
    </Panel>
  );
}
