import { LastroError, type Schemas } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { useSessions } from '../account/sessions.tsx';
import { useSession } from '../api/session.tsx';
import { useChange, useList } from '../api/use-data.ts';
import { useNouns } from '../api/use-nouns.ts';
import { Button } from '../kit/button.tsx';
import { Copy } from '../kit/copy.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Field, Input, Select } from '../kit/field.tsx';
import { Moment } from '../kit/moment.tsx';
import { Section } from '../kit/page.tsx';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { Tag } from '../kit/status.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { securityWords } from './words.ts';

type Rule = Schemas['IpRule'];
type AppliesTo = 'dashboard' | 'api' | 'both';
type Place = 'workspace' | 'organization';
/** An act that the service refused because whoever asks would not come in any more. */
type LockOut = { readonly network: string; run(): Promise<unknown> };

/** From which networks callers come in, in the workspace and in the organization. */
export function Addresses() {
  const w = useWords(securityWords);
  const { can, canInOrganization } = useSession();
  const sessions = useSessions();
  const address = sessions.data?.data.find(({ current }) => current)?.request_ip ?? null;
  return (
    <>
      <p className="max-w-3xl text-body text-ink2">{w.addressesBody}</p>
      {address && (
        <p className="mt-2 text-body">
          {w.yourAddress} <Copy text={address} />
        </p>
      )}
      {can('manage_members') && <Rules place="workspace" address={address} />}
      {canInOrganization('manage_members') && <Rules place="organization" address={address} />}
    </>
  );
}

function Rules({ place, address }: { readonly place: Place; readonly address: string | null }) {
  const w = useWords(securityWords);
  const c = useWords(common);
  const { ipRules: rules } = useNouns(place === 'organization');
  const [deleted, setDeleted] = useState<Rule | null>(null);
  const [lockOut, setLockOut] = useState<LockOut | null>(null);
  const list = useList(['ip-rules', place], (cursor, signal) =>
    rules.list({ limit: 200, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const change = useChange((run: () => Promise<unknown>) => run(), { changes: [['ip-rules']], isQuiet: true });
  /** Does it, unless it would shut its author out: then that is asked first. */
  const guard = async (network: string, run: (isConfirmed: boolean) => Promise<unknown>): Promise<boolean> => {
    try {
      await change.mutateAsync(() => run(false));
      return true;
    } catch (error) {
      if (!(error instanceof LastroError) || error.code !== 'would_lock_out') throw error;
      setLockOut({ network, run: () => change.mutateAsync(() => run(true)) });
      return false;
    }
  };
  const isClosed = useSession().workspace?.status === 'archived' && place === 'workspace';
  const applies: Readonly<Record<string, string>> = w.applies;
  const columns: readonly Column<Rule>[] = [
    {
      key: 'cidr',
      head: w.network,
      width: 'minmax(130px, 1fr)',
      cell: ({ cidr, api_key_id: key }) => (
        <>
          <code className="font-mono text-meta">{cidr}</code> {key && <Tag>{w.keyRule}</Tag>}
        </>
      ),
    },
    { key: 'for', head: w.appliesTo, width: '132px', cell: ({ applies_to: to }) => applies[to] ?? to },
    { key: 'note', head: w.note, width: 'minmax(90px, 1fr)', isMinor: true, cell: ({ note }) => note },
    {
      key: 'created',
      head: c.created,
      width: '130px',
      isMinor: true,
      cell: ({ created_at: at }) => <Moment at={at} />,
    },
    {
      key: 'acts',
      head: <span className="sr-only">{c.edit}</span>,
      width: '92px',
      isRight: true,
      cell: (rule) => (
        <Button
          kind="quiet"
          size="small"
          aria-label={w.deleteRule(rule.cidr)}
          blocked={isClosed && c.archived}
          onClick={() => setDeleted(rule)}
        >
          {c.delete}
        </Button>
      ),
    },
  ];
  return (
    <Section title={place === 'workspace' ? w.ofWorkspace : w.ofOrganization}>
      {!isClosed && (
        <Adding
          address={address}
          onAdd={(body) => guard(body.cidr, (confirm) => rules.create({ ...body, ...(confirm ? { confirm } : {}) }))}
        />
      )}
      {list.isError ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton rows={2} />
      ) : list.rows.length === 0 ? (
        <p className="text-body text-ink2">{w.rulesNone}</p>
      ) : (
        <Table
          label={place === 'workspace' ? w.ofWorkspace : w.ofOrganization}
          columns={columns}
          rows={list.rows}
          keyOf={({ id }) => id}
          onEnd={list.fetchMore}
          height="max-h-[360px]"
        />
      )}
      <Confirm
        title={w.deleteRule(deleted?.cidr ?? '')}
        body={w.deleteRuleBody}
        action={c.delete}
        isOpen={deleted !== null}
        onClose={() => setDeleted(null)}
        onConfirm={() => guard(deleted!.cidr, (confirm) => rules.delete(deleted!.id, confirm ? { confirm } : {}))}
      />
      <Confirm
        title={w.lockOut}
        body={w.lockOutBody}
        action={w.lockOutAction}
        typed={lockOut?.network}
        isOpen={lockOut !== null}
        onClose={() => setLockOut(null)}
        onConfirm={() => lockOut!.run()}
      />
    </Section>
  );
}

function Adding({
  address,
  onAdd,
}: {
  readonly address: string | null;
  onAdd(rule: {
    readonly cidr: string;
    readonly applies_to: AppliesTo;
    readonly note: string | null;
  }): Promise<boolean>;
}) {
  const w = useWords(securityWords);
  const [cidr, setCidr] = useState('');
  const [appliesTo, setAppliesTo] = useState<AppliesTo>('both');
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const add = async (network: string) => {
    setBusy(true);
    setRefusal(null);
    try {
      if (await onAdd({ cidr: network, applies_to: appliesTo, note: note.trim() || null })) {
        setCidr('');
        setNote('');
      }
    } catch (error) {
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void add(cidr.trim());
  };
  return (
    <form onSubmit={submit} className="mb-3 flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <Field label={w.network} className="w-64">
          <Input
            required
            maxLength={60}
            spellCheck={false}
            autoComplete="off"
            placeholder="203.0.113.0/24"
            title={w.networkHint}
            className="font-mono"
            value={cidr}
            onChange={(event) => setCidr(event.target.value)}
          />
        </Field>
        <Field label={w.appliesTo} className="w-44">
          <Select
            value={appliesTo}
            options={(['both', 'dashboard', 'api'] as const).map((value) => ({ value, label: w.applies[value] }))}
            onValue={setAppliesTo}
          />
        </Field>
        <Field label={w.note} isOptional className="min-w-40 flex-1">
          <Input maxLength={300} value={note} onChange={(event) => setNote(event.target.value)} />
        </Field>
        <Button submits kind="primary" isBusy={isBusy}>
          {w.addRule}
        </Button>
        {address && (
          <Button disabled={isBusy} onClick={() => void add(address)}>
            {w.addMine}
          </Button>
        )}
      </div>
      {refusal !== null && <Refusal error={refusal} />}
    </form>
  );
}
