import { useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Field, Select } from '../kit/field.tsx';
import { Moment } from '../kit/moment.tsx';
import { Panel } from '../kit/page.tsx';
import { useBlock } from '../kit/states.tsx';
import { useWords } from '../words/words.ts';
import { keepSecret } from './told-secret.ts';
import type { Webhook } from './webhook.ts';
import { webhookWords } from './words.ts';

const overlaps = ['0', '24', '72', '168'] as const;

/** By which secrets requests are signed, and how they are changed. The texts of them are told once and kept by nobody. */
export function Secrets({ webhook: { id, secrets } }: { readonly webhook: Webhook }) {
  const w = useWords(webhookWords);
  const client = useClient();
  const [isRotating, setRotating] = useState(false);
  const [ending, setEnding] = useState<string | null>(null);
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>('24');
  const options = { changes: [['webhooks', id]], isQuiet: true };
  const block = useBlock('manage_webhooks');
  const rotate = useChange(() => client.webhooks.rotate(id, { overlap_hours: Number(overlap) }), options);
  const end = useChange((secretId: string) => client.webhooks.revokeSecret(id, secretId), options);
  const labels = { '0': w.atOnce, '24': w.inHours('24'), '72': w.inHours('72'), '168': w.inWeek };
  return (
    <div className="flex max-w-2xl flex-col gap-3">
      <p className="text-ink2">{w.secretsBody}</p>
      <Panel>
        <ul className="divide-y divide-line">
          {secrets.map(({ id: secretId, created_at: at, expires_at: until }) => (
            <li key={secretId} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5">
              <Id id={secretId} />
              <span className="text-ink2 text-meta">
                <Moment at={at} />
              </span>
              <span className="flex-1">
                {until === null ? (
                  w.current
                ) : (
                  <>
                    {w.endsAt} <Moment at={until} />
                  </>
                )}
              </span>
              {until !== null && (
                <Button size="small" kind="danger" blocked={block} onClick={() => setEnding(secretId)}>
                  {w.endNow}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Panel>
      <div className="flex gap-2">
        <Button blocked={block} onClick={() => setRotating(true)}>
          {w.rotate}
        </Button>
        <CodeButton
          request={{
            method: 'POST',
            path: `/v1/api/webhooks/${id}/rotation`,
            body: { overlap_hours: 24 },
            typescript: `lastro.webhooks.rotate('${id}', { overlap_hours: 24 })`,
          }}
        />
      </div>
      <Confirm
        title={w.rotateTitle}
        body={w.rotateBody}
        action={w.rotateAction}
        isDanger={overlap === '0'}
        isOpen={isRotating}
        onClose={() => setRotating(false)}
        onConfirm={async () => {
          const { secret } = await rotate.mutateAsync(undefined);
          if (secret !== null) keepSecret({ webhookId: id, secret, isRotated: true });
        }}
      >
        <Field label={w.overlap} error={overlap === '0' && w.atOnceWarning}>
          <Select
            value={overlap}
            options={overlaps.map((value) => ({ value, label: labels[value] }))}
            onValue={setOverlap}
          />
        </Field>
      </Confirm>
      <Confirm
        title={w.endTitle}
        body={w.endBody}
        action={w.endNow}
        isOpen={ending !== null}
        onClose={() => setEnding(null)}
        onConfirm={() => end.mutateAsync(ending!)}
      />
    </div>
  );
}
