import { encode } from 'uqr';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { completeFactor } from './security-api.ts';

interface Properties {
  readonly totpURI: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The QR code for the authenticator, and the code it shows then. */
export default function TwoFactorSetUp({ totpURI, onClose, onDone }: Properties) {
  const form = useForm(async (data) => {
    await completeFactor(textOf(data, 'code'));
    onDone();
  });
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      <p>{t`Scan this with your authenticator application, then enter the code it shows.`}</p>
      <QrCode text={totpURI} />
      <p className="text-sm text-muted">
        <Trans>
          Or enter this key: <Code className="text-fore">{secret}</Code>
        </Trans>
      </p>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextField
        label={t`Code`}
        name="code"
        autoFocus
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9 ]{6,8}"
        title={t`Six digits`}
        required
        error={form.fieldError('code')}
      />
      <DialogButtons>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" look="primary" busy={form.busy}>{t`Turn on`}</Button>
      </DialogButtons>
    </form>
  );
}

/** Dark on light in every theme: many scanners read nothing else. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t`QR code`}
      className="mx-auto w-48 rounded-lg bg-white"
    >
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
