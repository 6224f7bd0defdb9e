import { Trans, t } from '../../lib/i18n.ts';
import { Code } from '../../ui/code.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Panel } from '../../ui/panel.tsx';

const CODE = `import { Webhook } from 'standardwebhooks';

const verifier = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…
app.post('/hooks', express.raw({ type: 'application/json' }), (request, response) => {
  const { type, data } = verifier.verify(request.body.toString(), request.headers);
  response.sendStatus(204); // respond first, process later
});`;

/** How a receiver verifies requests. */
export function VerificationGuide() {
  return (
    <Panel title={t`Verify requests`}>
      <p className="text-muted">
        <Trans>
          Requests are signed according to the{' '}
          <a href="https://www.standardwebhooks.com" className="text-accent-text underline underline-offset-3">
            Standard Webhooks
          </a>{' '}
          specification. Respond with a 2xx status within 10 seconds; anything else is retried for three days. A request
          can arrive more than once: use its <Code>webhook-id</Code> header to detect duplicates.
        </Trans>
      </p>
      <CodeBlock code={CODE} label={t`Example receiver`} copy={t`Copy example receiver`} />
    </Panel>
  );
}
