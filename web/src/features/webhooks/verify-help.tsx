import { CodeBlock } from '../../ui/code-block.tsx';
import { Panel } from '../../ui/panel.tsx';

const CODE = `import { Webhook } from 'standardwebhooks';

const verifier = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…
app.post('/hooks', express.raw({ type: 'application/json' }), (request, response) => {
  const { type, data } = verifier.verify(request.body.toString(), request.headers);
  response.sendStatus(204); // answer first, work later
});`;

/** How a receiver knows that a message is ours, and what it may count on. */
export function VerifyHelp() {
  return (
    <Panel title="Receive messages">
      <p className="text-muted">
        Messages are signed as{' '}
        <a href="https://www.standardwebhooks.com" className="text-accent-text underline underline-offset-3">
          Standard Webhooks
        </a>{' '}
        says. Answer with a status from 200 to 299 within 10 seconds; anything else is tried again for three days. A message may come twice:
        its header <code>webhook-id</code> stays the same.
      </p>
      <CodeBlock code={CODE} label="Receiver" />
    </Panel>
  );
}
