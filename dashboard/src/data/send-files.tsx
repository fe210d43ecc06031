import type { Body } from '@lastro/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Checkbox } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { DropZone } from '../uploads/drop-zone.tsx';
import { LeaveGuard } from '../uploads/leave-guard.tsx';
import { UploadList } from '../uploads/upload-list.tsx';
import { useHeads } from '../uploads/use-heads.ts';
import type { Uploads } from '../uploads/use-uploads.ts';
import { useWords } from '../words/words.ts';
import { type Placing, placingOf } from './guess-placing.ts';
import { PlacingFields, tableName } from './placing.tsx';
import { sendWords } from './send-words.ts';
import { useActiveContract, useContractDocument } from './use-contracts.ts';

const accepted = '.csv,.tsv,.txt,.parquet,.pq,.jsonl,.ndjson,.json,.gz';

/** Files, each for a table, that are taken into the data together. `after`: the refused ingestion whose files they mend. */
export function SendFiles({ uploads, after }: { readonly uploads: Uploads; readonly after: string | undefined }) {
  const w = useWords(sendWords);
  const client = useClient();
  const navigate = useNavigate();
  const { heads, read } = useHeads();
  const contract = useActiveContract();
  const document = useContractDocument(contract.data?.document);
  const tables = (contract.data && document.data?.tables) || [];
  const [placings, setPlacings] = useState<ReadonlyMap<string, Placing>>(new Map());
  const [acceptsContract, setAcceptsContract] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const listId = useId();
  const keys = useRef({ asked: '', key: '' });
  const mended = useData(['ingestions', 'one', after], (signal) => client.ingestions.get(after!, {}, { signal }), {
    isOn: after !== undefined,
  });
  const modes = new Map(mended.data?.files.map(({ table, mode }) => [table, mode as Placing['mode']]));
  const placed = (key: string, name: string): Placing =>
    placings.get(key) ?? placingOf(name, tables, heads.get(key), modes);
  const create = useChange(
    (body: Exclude<Body<'ingestions.create'>, FormData>) => {
      const asked = JSON.stringify(body);
      // The same files taken in again, after the answer was lost, are taken in once.
      if (keys.current.asked !== asked) keys.current = { asked, key: crypto.randomUUID() };
      return client.ingestions.create(body, { idempotencyKey: keys.current.key });
    },
    { changes: [['ingestions'], ['contracts']], isQuiet: true },
  );
  const body = {
    files: uploads.files.map(({ key, file, id }) => ({ file_id: id ?? '<file_…>', ...placed(key, file.name) })),
    ...(acceptsContract ? { accept_contract: true } : {}),
  };
  const start = async (): Promise<void> => {
    const made = await create.mutateAsync(body).catch(() => null);
    setAsked(false);
    if (made) await navigate({ to: '/data/ingestions/$ingestion_id', params: { ingestion_id: made.id }, search: {} });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once all is sent
  useEffect(() => {
    if (isAsked && uploads.isDone && !create.isPending) void start();
  }, [isAsked, uploads.isDone]);
  const hasFiles = uploads.files.length > 0;
  const isPlaced = uploads.files.every(({ key, file }) => tableName.test(placed(key, file.name).table));
  return (
    <div className="flex flex-col gap-3">
      {hasFiles && (
        <UploadList uploads={uploads}>
          {({ key, file }) => (
            <PlacingFields
              name={file.name}
              placing={placed(key, file.name)}
              head={heads.has(key) ? heads.get(key) : undefined}
              tables={tables}
              listId={listId}
              onChange={(placing) => setPlacings((before) => new Map(before).set(key, placing))}
            />
          )}
        </UploadList>
      )}
      <datalist id={listId}>
        {tables.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <DropZone
        accept={accepted}
        hint={w.sendHint}
        isSmall={hasFiles}
        onFiles={(files) => read(uploads.add(files.filter(({ size }) => size > 0)))}
      />
      {hasFiles && <p className="max-w-3xl text-ink3 text-meta">{w.modeHint}</p>}
      <div className="mt-1">
        <Checkbox
          label={w.acceptAtOnce}
          checked={acceptsContract}
          onChange={({ target }) => setAcceptsContract(target.checked)}
        />
        <p className="ml-6 text-ink3 text-meta">{w.acceptAtOnceHint}</p>
      </div>
      {create.isError && <Refusal error={create.error} />}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button
          kind="primary"
          disabled={!hasFiles || !isPlaced}
          isBusy={isAsked || create.isPending}
          onClick={() => setAsked(true)}
        >
          {uploads.isDone || !hasFiles ? w.take : w.takeWhenSent}
        </Button>
        <CodeButton
          request={{
            method: 'POST',
            path: '/v1/api/ingestions',
            body: hasFiles ? body : { files: [{ file_id: '<file_…>', table: 'orders', mode: 'append' }] },
          }}
        />
        {isAsked && !uploads.isDone && (
          <p role="status" className="text-ink2">
            {w.takes}
          </p>
        )}
      </div>
      <LeaveGuard isOn={uploads.isBusy} />
    </div>
  );
}
