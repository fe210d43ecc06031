import type { Schemas } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { accountClient } from '../api/client.ts';
import { saveResponse } from '../api/save-response.ts';
import { useChange, useData, useList } from '../api/use-data.ts';
import { useNouns } from '../api/use-nouns.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { endOfDay, startOfDay } from '../kit/day.ts';
import { Field, Input, Segmented } from '../kit/field.tsx';
import { MoreButton } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { saveAs } from '../kit/save-file.ts';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { Progress, Status } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import { auditWords } from './words.ts';

type AuditExport = Schemas['AuditExport'];

const everyMs = 1_500;
const isOpen = ({ status }: AuditExport): boolean => status === 'queued' || status === 'running';

/** Whole spans of the log as files, and checkpoints to keep: what it takes to verify without the service. */
export function Exports({ isOfOrganization }: { readonly isOfOrganization: boolean }) {
  const w = useWords(auditWords);
  const { auditExports } = useNouns(isOfOrganization);
  const list = useList(
    ['audit', 'exports', isOfOrganization],
    (cursor, signal) => auditExports.list(cursor ? { cursor } : {}, { signal }),
    { everyMs: (rows) => (rows.some(isOpen) ? everyMs : false) },
  );
  return (
    <div className="max-w-3xl">
      <p className="mb-3 text-ink2">{w.exportBody}</p>
      <NewExport isOfOrganization={isOfOrganization} />
      <Section title={w.exports} description={w.keptFor}>
        {list.isError ? (
          <Failed error={list.error} onRetry={() => list.refetch()} />
        ) : list.isPending ? (
          <Skeleton rows={3} />
        ) : list.rows.length > 0 ? (
          <>
            <Panel>
              <ul className="divide-y divide-line">
                {list.rows.map((one) => (
                  <ExportRow key={one.id} of={one} isOfOrganization={isOfOrganization} />
                ))}
              </ul>
            </Panel>
            <MoreButton list={list} />
          </>
        ) : (
          <p className="text-ink2">{w.noExports}</p>
        )}
      </Section>
      <KeepCheckpoint isOfOrganization={isOfOrganization} />
    </div>
  );
}

function NewExport({ isOfOrganization }: { readonly isOfOrganization: boolean }) {
  const w = useWords(auditWords);
  const c = useWords(common);
  const { auditExports, folder, noun } = useNouns(isOfOrganization);
  const [format, setFormat] = useState<'ndjson' | 'csv'>('ndjson');
  const timeZone = useTimeZone();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const body = {
    format,
    ...(from ? { from: startOfDay(from, timeZone) } : {}),
    ...(to ? { to: endOfDay(to, timeZone) } : {}),
  };
  const start = useChange(() => auditExports.create(body), { changes: [['audit', 'exports']], isQuiet: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate(undefined, { onSuccess: () => say(w.started) });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <Field label={c.from} isOptional>
          <Input type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
        </Field>
        <Field label={c.until} isOptional>
          <Input type="date" value={to} onChange={(event) => setTo(event.target.value)} />
        </Field>
        <Segmented
          label={w.format}
          options={[
            { value: 'ndjson', label: 'NDJSON' },
            { value: 'csv', label: 'CSV' },
          ]}
          value={format}
          onValue={setFormat}
        />
        <Button submits kind="primary" isBusy={start.isPending}>
          {w.start}
        </Button>
        <CodeButton
          request={{
            method: 'POST',
            path: `${folder}/audit-exports`,
            body,
            typescript: `${noun}.auditExports.create(${JSON.stringify(body)})`,
          }}
        />
      </div>
      {start.isError && <Refusal error={start.error} />}
    </form>
  );
}

function ExportRow({ of, isOfOrganization }: { readonly of: AuditExport; readonly isOfOrganization: boolean }) {
  const w = useWords(auditWords);
  const c = useWords(common);
  const format = useFormat();
  const { auditExports } = useNouns(isOfOrganization);
  const { id, status, from, to, first_index: first, end_index: end, entries, manifest, failure } = of;
  const download = useChange(async (file: 'entries' | 'manifest') => {
    const response = await (file === 'entries' ? auditExports.downloadEntries(id) : auditExports.downloadManifest(id));
    await saveResponse(response, `${id}-${file}`);
  });
  const span =
    from === null && to === null
      ? w.everything
      : w.span(from === null ? '…' : format.dateTime(from), to === null ? '…' : format.dateTime(to));
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Status of={status} />
        <span className="min-w-0 flex-1">
          {span}
          {first !== null && end !== null && end > first && (
            <span className="text-ink3"> · {w.range(format.integer(first), format.integer(end - 1))}</span>
          )}
        </span>
        <span className="text-ink2 text-meta">
          {of.format === 'csv' ? 'CSV' : 'NDJSON'} · <Moment at={of.created_at} />
        </span>
        {status === 'succeeded' && entries && manifest && (
          <span className="flex gap-2">
            <Button
              size="small"
              isBusy={download.isPending && download.variables === 'entries'}
              onClick={() => download.mutate('entries')}
            >
              {c.download}: {w.downloadEntries} · {format.bytes(entries.bytes)}
            </Button>
            <Button
              size="small"
              isBusy={download.isPending && download.variables === 'manifest'}
              onClick={() => download.mutate('manifest')}
            >
              {c.download}: {w.downloadManifest}
            </Button>
          </span>
        )}
      </div>
      {isOpen(of) && <Progress label={w.exportTitle} share={status === 'queued' ? null : of.progress} />}
      {failure && <p className="break-words text-bad text-meta">{failure.detail}</p>}
    </li>
  );
}

function KeepCheckpoint({ isOfOrganization }: { readonly isOfOrganization: boolean }) {
  const w = useWords(auditWords);
  const format = useFormat();
  const { auditCheckpoints } = useNouns(isOfOrganization);
  const { data } = useData(['audit', 'checkpoint', isOfOrganization], (signal) =>
    auditCheckpoints.list({ limit: 1 }, { signal }),
  );
  const saveKey = useChange(async () => {
    const { public_key: key } = await accountClient().auditKeys.get();
    saveAs('audit-key.txt', `${key}\n`, 'text/plain');
  });
  const newest = data?.data[0];
  return (
    <Section title={w.keepTitle} description={w.keepBody}>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          disabled={!newest}
          onClick={() => newest && saveAs(`checkpoint-${newest.size}.txt`, newest.note, 'text/plain')}
        >
          {w.keep}
        </Button>
        <Button onClick={() => saveKey.mutate(undefined)}>{w.keepKey}</Button>
        {newest && (
          <span className="text-ink2 text-meta">
            {w.treeSize}: {format.integer(newest.size)} · <Moment at={newest.at} />
          </span>
        )}
      </div>
    </Section>
  );
}
