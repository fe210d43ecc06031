import { type FormEvent, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Field, Input, Select } from '../kit/field.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Moment } from '../kit/moment.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { AliasTag } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { useWords } from '../words/words.ts';
import { gateWords } from './gate-words.ts';
import type { Model, Version } from './use-models.ts';

/** Who has approved a version for which alias, and a way to be the second pair of eyes. */
export function Approvals({ model, version }: { readonly model: Model; readonly version: Version }) {
  const w = useWords(gateWords);
  const client = useClient();
  const { can } = useSession();
  const key = ['models', model.id, 'approvals', version.id];
  const { data, error, refetch } = useData(key, (signal) =>
    client.models.approvals.list(model.id, version.id, { signal }).then(({ data }) => data),
  );
  const others = model.aliases.filter(({ version_id }) => version_id !== version.id).map(({ alias }) => alias);
  return (
    <Section title={w.approvals} description={w.approvalsBody}>
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton rows={1} />
      ) : (
        <div className="flex flex-col gap-3">
          {data.length === 0 ? (
            <p className="text-ink2">{w.noApprovals}</p>
          ) : (
            <Ledger
              label={w.approvals}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { key: 'by', head: w.approvedBy, cell: ({ approved_by: by }) => by },
                { key: 'alias', head: w.forAlias, cell: ({ alias }) => <AliasTag alias={alias} /> },
                { key: 'comment', head: w.comment, cell: ({ comment }) => comment ?? '—' },
                { key: 'at', head: w.when, isMinor: true, cell: ({ created_at: at }) => <Moment at={at} isExact /> },
              ]}
            />
          )}
          {can('manage_aliases') && others.length > 0 && (
            <Approve modelId={model.id} versionId={version.id} aliases={others} changes={key} />
          )}
        </div>
      )}
    </Section>
  );
}

function Approve({
  modelId,
  versionId,
  aliases,
  changes,
}: {
  readonly modelId: string;
  readonly versionId: string;
  readonly aliases: readonly string[];
  readonly changes: readonly string[];
}) {
  const w = useWords(gateWords);
  const client = useClient();
  const [alias, setAlias] = useState(aliases[0]);
  const [comment, setComment] = useState('');
  const approve = useChange(
    () =>
      client.models.approvals.create(modelId, versionId, {
        alias,
        ...(comment.trim() !== '' && { comment: comment.trim() }),
      }),
    { changes: [changes], isQuiet: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    approve.mutate(undefined, {
      onSuccess: () => {
        setComment('');
        say(w.approved(alias));
      },
    });
  };
  return (
    <Panel className="p-4">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <Field label={w.forAlias}>
          <Select
            className="!w-48"
            value={alias}
            options={aliases.map((value) => ({ value, label: value }))}
            onValue={setAlias}
          />
        </Field>
        <Field label={w.comment} isOptional className="min-w-48 flex-1">
          <Input value={comment} onChange={({ target }) => setComment(target.value)} />
        </Field>
        <Button submits isBusy={approve.isPending}>
          {w.approve}
        </Button>
      </form>
      {approve.error && (
        <div className="mt-3">
          <Refusal error={approve.error} />
        </div>
      )}
    </Panel>
  );
}
