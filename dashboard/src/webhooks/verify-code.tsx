import { useState } from 'react';
import { CodeBlock } from '../kit/code.tsx';
import { Copy } from '../kit/copy.tsx';
import { Segmented } from '../kit/field.tsx';
import { useWords } from '../words/words.ts';
import { webhookWords } from './words.ts';

const kinds = ['sdk', 'node', 'python'] as const;

/** How a receiver knows that a request is of this webhook. The same stands in docs/webhooks.md, where it is tested. */
export function VerifyCode() {
  const w = useWords(webhookWords);
  const [kind, setKind] = useState<(typeof kinds)[number]>('sdk');
  const labels = { sdk: w.nodeBySdk, node: w.nodeByHand, python: 'Python' };
  return (
    <div className="flex max-w-3xl flex-col items-start gap-3">
      <p className="text-ink2">{w.verifyBody}</p>
      <Segmented
        label={w.verify}
        options={kinds.map((value) => ({ value, label: labels[value] }))}
        value={kind}
        onValue={setKind}
      />
      <div className="w-full min-w-0">
        <CodeBlock label={labels[kind]} code={code[kind]} />
      </div>
      <Copy text={code[kind]} shown={labels[kind]} />
    </div>
  );
}

const code = {
  sdk: `import { verifyWebhook, WebhookVerificationError } from '@lastro/sdk';

export async function receive(request) {
  try {
    const event = await verifyWebhook(await request.text(), request.headers, process.env.WEBHOOK_SECRET);
    if (event.type === 'batch-lifecycle' && event.data.status === 'succeeded') console.log(event.data.id);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 });
    throw error;
  }
}`,
  node: `import { createHmac, timingSafeEqual } from 'node:crypto';

export function read(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) throw new Error('too old, or too new');
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  const isOurs = signatures.split(' ').some((one) => {
    const [version, text = ''] = one.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isOurs) throw new Error('not signed by this secret');
  return JSON.parse(body);
}`,
  python: `import base64, hashlib, hmac, json, time

def read(secret, headers, body):
    message, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("too old, or too new")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    if not any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" ")):
        raise ValueError("not signed by this secret")
    return json.loads(body)`,
} as const;
