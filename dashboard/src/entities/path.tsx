import { NotFoundError } from '@lastro/sdk';
import { type FormEvent, useEffect, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Section } from '../kit/page.tsx';
import { Refusal, Skeleton } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { EntityLink } from './entities.tsx';
import type { EntityProps } from './entity-search.ts';
import { nodeName } from './network-marks.ts';
import { entityWords } from './words.ts';

/** How an entity is tied to another one of its table, step by step. */
export function EntityPath({ table, entityKey, search, set }: EntityProps) {
  const w = useWords(entityWords);
  const format = useFormat();
  const client = useClient();
  const { to, as_of: asOf } = search;
  const [typed, setTyped] = useState(to ?? '');
  useEffect(() => setTyped(to ?? ''), [to]);
  const dated = asOf ? { reference_date: asOf } : {};
  const path = useData(
    ['entities', 'path', table, entityKey, to, dated],
    (signal) => client.entities.getPath(table, entityKey, to ?? '', dated, { signal }),
    { isOn: to !== undefined },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set({ to: typed.trim() || undefined }, true);
  };
  return (
    <Section title={w.path}>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <Field label={w.pathTo} className="w-72">
          <Input
            value={typed}
            spellCheck={false}
            autoComplete="off"
            className="font-mono"
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Button submits>{w.showPath}</Button>
      </form>
      {to !== undefined && (
        <div className="mt-3" aria-live="polite">
          {path.isError ? (
            path.error instanceof NotFoundError ? (
              <p className="text-body text-ink2">{path.error.detail}</p>
            ) : (
              <Refusal error={path.error} />
            )
          ) : !path.data ? (
            <Skeleton rows={2} />
          ) : !path.data.is_found ? (
            <p className="text-body text-ink2">{path.data.is_complete ? w.noPath : w.noPathIncomplete}</p>
          ) : (
            <>
              <p className="mb-2 text-body">{w.pathFound(w.ties(path.data.edges.length))}</p>
              <ol className="flex flex-col">
                {path.data.nodes.map((node, at) => {
                  const edge = path.data.edges[at - 1];
                  return (
                    <li key={node.id}>
                      {edge && (
                        <p className="ml-[5px] border-line2 border-l-2 py-1.5 pl-4 text-ink2 text-meta">
                          {w.tie(
                            edge.relation,
                            w.count(format.integer(edge.count)),
                            edge.since ? format.day(edge.since) : w.undated,
                          )}
                        </p>
                      )}
                      <p className="flex items-center gap-2">
                        <span className="size-3 shrink-0 rounded-full border-2 border-ink2" aria-hidden="true" />
                        {node.key === null ? (
                          <span className="text-ink2" title={w.hiddenBody}>
                            {nodeName(node)}
                          </span>
                        ) : (
                          <EntityLink table={node.table} entityKey={node.key} />
                        )}
                      </p>
                    </li>
                  );
                })}
              </ol>
            </>
          )}
        </div>
      )}
    </Section>
  );
}
