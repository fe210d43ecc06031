import type { Schemas } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useChange, useList } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Copy } from '../kit/copy.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { Dot, Status } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { securityWords } from './words.ts';

type Domain = Schemas['Domain'];

/** Domains whose people sign in by single sign-on, each with the record that proves it. */
export function Domains() {
  const w = useWords(securityWords);
  const c = useWords(common);
  const { organizationClient: client } = useSession();
  const [typed, setTyped] = useState('');
  const [deleted, setDeleted] = useState<Domain | null>(null);
  const list = useList(['domains'], (cursor, signal) =>
    client.domains.list({ limit: 200, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const add = useChange(
    async (domain: string) => {
      await client.domains.create({ domain });
      setTyped('');
    },
    { changes: [['domains']], isQuiet: true },
  );
  const remove = useChange((id: string) => client.domains.delete(id), { changes: [['domains']], isQuiet: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(typed.trim());
  };
  return (
    <Section title={w.stepDomain} description={w.stepDomainBody}>
      <form onSubmit={submit} className="mb-3 flex flex-wrap items-end gap-2">
        <Field label={w.domain} className="w-72">
          <Input
            required
            spellCheck={false}
            placeholder="company.com"
            maxLength={253}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Button submits isBusy={add.isPending}>
          {w.addDomain}
        </Button>
      </form>
      {add.error && (
        <div className="mb-3">
          <Refusal error={add.error} />
        </div>
      )}
      {list.isError ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton rows={2} />
      ) : list.rows.length === 0 ? (
        <p className="text-body text-ink2">{w.domainsNone}</p>
      ) : (
        <Panel>
          <ul className="divide-y divide-line">
            {list.rows.map((domain) => (
              <One key={domain.id} domain={domain} onDelete={() => setDeleted(domain)} />
            ))}
          </ul>
        </Panel>
      )}
      <Confirm
        title={w.deleteDomain(deleted?.domain ?? '')}
        body={w.deleteDomainBody}
        action={c.delete}
        typed={deleted?.domain}
        isOpen={deleted !== null}
        onClose={() => setDeleted(null)}
        onConfirm={() => remove.mutateAsync(deleted!.id)}
      />
    </Section>
  );
}

function One({ domain, onDelete }: { readonly domain: Domain; onDelete(): void }) {
  const w = useWords(securityWords);
  const c = useWords(common);
  const { organizationClient: client } = useSession();
  const verify = useChange(
    async () => {
      await client.domains.verify(domain.id);
      say(w.verified);
    },
    { changes: [['domains']], isQuiet: true },
  );
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-3">
          <b className="min-w-0 break-all font-medium">{domain.domain}</b>
          {domain.verified_at ? <Status of="verified" /> : <Dot tone="warn">{c.statuses.pending}</Dot>}
        </span>
        <span className="flex gap-2">
          {!domain.verified_at && (
            <Button size="small" isBusy={verify.isPending} onClick={() => verify.mutate(undefined)}>
              {w.verify}
            </Button>
          )}
          <Button size="small" kind="danger" aria-label={w.deleteDomain(domain.domain)} onClick={onDelete}>
            {c.delete}
          </Button>
        </span>
      </div>
      {!domain.verified_at && (
        <dl className="grid gap-x-4 gap-y-1 text-body sm:grid-cols-[120px_minmax(0,1fr)]">
          <dt className="text-ink3">
            {w.record}, {w.recordName}
          </dt>
          <dd className="min-w-0">
            <Copy text={domain.record_name} />
          </dd>
          <dt className="text-ink3">{w.recordValue}</dt>
          <dd className="min-w-0">
            <Copy text={domain.record_value} />
          </dd>
        </dl>
      )}
      {verify.error && <Refusal error={verify.error} />}
    </li>
  );
}
