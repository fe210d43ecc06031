import { NotFoundError } from '@lastro/sdk';
import { type FormEvent, useEffect, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Section } from '../kit/page.tsx';
import { Refusal, Skeleton, Why } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { EntityProps } from './entity-search.ts';
import { NodeLink } from './node-link.tsx';
import { SomeHidden } from './some-hidden.tsx';
import { entityWords } from './words.ts';

/** The path to the entity whose key was typed; nothing is asked without one. */
export function usePath({ table, entityKey, search: { to, as_of: asOf } }: Omit<EntityProps, 'set'>) {
  const client = useClient();
  const dated = asOf ? { reference_date: asOf } : {};
  return useData(
    ['entities', 'path', table, entityKey, to, dated],
    (signal) => client.entities.getPath(table, entityKey, to ?? '', dated, { signal }),
    { isOn: to !== undefined },
  );
}

/** How an entity is tied to another one of its table, step by step. */
export function EntityPath({ set, ...asked }: EntityProps) {
  const w = useWords(entityWords);
  const format = useFormat();
  const { to } = asked.search;
  const [typed, setTyped] = useState(to ?? '');
  const [isLacking, setLacking] = useState(false);
  useEffect(() => setTyped(to ?? ''), [to]);
  const path = usePath(asked);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = typed.trim();
    setLacking(key === '');
    if ((key || undefined) !== to) set({ to: key || undefined }, true);
  };
  return (
    <Section title={w.path}>
      <form onSubmit={submit} className="flex flex-wrap items-start gap-2">
        <Field label={w.pathTo} error={isLacking && w.pathLacks} className="w-72">
          <Input
            value={typed}
            spellCheck={false}
            autoComplete="off"
            className="font-mono"
            onChange={(event) => {
              setTyped(event.target.value);
              setLacking(false);
            }}
          />
        </Field>
        <Button submits className="mt-6">
          {w.showPath}
        </Button>
      </form>
      {to !== undefined && (
        <div className="mt-3" aria-live="polite">
          {path.isError ? (
            path.error instanceof NotFoundError ? (
              <Why code={path.error.code} because={path.error.because}>
                {path.error.detail}
              </Why>
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
                        <NodeLink node={node} />
                      </p>
                    </li>
                  );
                })}
              </ol>
              {path.data.nodes.some(({ key }) => key === null) && <SomeHidden tables={[path.data.nodes[0].table]} />}
            </>
          )}
        </div>
      )}
    </Section>
  );
}
