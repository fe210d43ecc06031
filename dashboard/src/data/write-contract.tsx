import { useEffect, useRef, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Detail, Refusal, Skeleton } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { AskedAcceptance } from './confirm-acceptance.tsx';
import { useActiveContract } from './use-contracts.ts';
import { mistakesOf, requestOf, useProposal } from './use-proposal.ts';
import { dataWords } from './words.ts';
import { YamlEditor, type YamlEditorHandle } from './yaml-editor.tsx';

const example = `apiVersion: v3.1.0
kind: DataContract
id: shop
version: "1"
schema:
  - name: orders
    customProperties:
      - property: eventTime
        value: ordered_at
      - property: entityKind
        value: event
    properties:
      - name: order_id
        logicalType: string
        primaryKey: true
      - name: ordered_at
        logicalType: date
        required: true
      - name: amount
        logicalType: number
`;

/** A contract as text: edited from an earlier one, by default the active one, or pasted; each mistake is at its line. */
export function WriteContract({ base }: { readonly base: string | undefined }) {
  const client = useClient();
  const active = useActiveContract(base === undefined);
  const from = base ?? active.data?.id;
  const start = useData(['contracts', 'one', from], (signal) => client.contracts.get(from!, { signal }), {
    isOn: from !== undefined,
  });
  if (active.isError || start.isError) return <Refusal error={active.error ?? start.error} />;
  if (from === undefined ? active.data === undefined : !start.data) return <Skeleton />;
  const { document = example, status, ingestion_id: asking = null } = start.data ?? {};
  return <Editor start={document} waiting={status === 'proposed' ? asking : null} />;
}

/** `waiting`: the ingestion whose files wait for a contract, and come in under the one that is accepted here. */
function Editor({ start, waiting }: { readonly start: string; readonly waiting: string | null }) {
  const w = useWords(dataWords);
  const format = useFormat();
  const [text, setText] = useState(start);
  const editor = useRef<YamlEditorHandle>(null);
  const propose = useProposal(waiting);
  const mistakes = mistakesOf(propose.error);
  const first = mistakes[0]?.line;
  useEffect(() => {
    if (first) editor.current?.goTo(first);
  }, [first]);
  return (
    <div className="flex flex-col gap-3">
      <YamlEditor
        ref={editor}
        label={w.document}
        value={text}
        badLines={new Set(mistakes.map(({ line }) => line))}
        onValue={setText}
      />
      {mistakes.length > 0 ? (
        <section role="alert" className="rounded-[6px] border border-bad/30 bg-bad-soft px-3 py-2">
          <h2 className="font-semibold text-body">{w.mistakes(format.integer(mistakes.length))}</h2>
          <ul className="mt-1 flex flex-col">
            {mistakes.map(({ line, path, text: said, because }) => (
              <li key={`${line} ${path} ${said}`} className="flex items-baseline gap-2 py-0.5">
                <button
                  type="button"
                  onClick={() => editor.current?.goTo(line)}
                  className="min-h-6 shrink-0 font-medium text-accent underline underline-offset-2"
                >
                  {w.line(String(line))}
                </button>
                <span className="min-w-0 break-words">
                  {path && `${path}: `}
                  <Detail because={because}>{said}</Detail>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : (
        propose.error && <Refusal error={propose.error} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          isBusy={propose.isPending && propose.variables?.accept === false}
          disabled={text.trim() === '' || propose.isPending}
          onClick={() => propose.mutate({ document: text, accept: false })}
        >
          {w.propose}
        </Button>
        <Button
          isBusy={propose.isPending && propose.variables?.accept === true}
          disabled={text.trim() === '' || propose.isPending}
          onClick={() => propose.mutate({ document: text, accept: true })}
        >
          {w.proposeAndAccept}
        </Button>
        <CodeButton
          request={{
            method: 'POST',
            path: '/v1/api/contracts',
            body: requestOf(text, waiting),
            typescript: `lastro.contracts.create(${JSON.stringify(requestOf(text, waiting))})`,
          }}
        />
      </div>
      <AskedAcceptance of={propose} />
    </div>
  );
}
