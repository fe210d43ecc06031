import type { ContractTable } from '../data/contract.ts';
import { Button } from '../kit/button.tsx';
import { kindWords } from '../models/metric-names.ts';
import { useWords } from '../words/words.ts';
import { nameInQuery } from './name-in-query.ts';
import { clauseExamples, clauses, type Kind, kinds, type Months } from './starters.ts';
import { taskWords } from './words.ts';

/** What may be asked, by what answers it: choosing one writes a question, which stands below. */
export function Kinds({
  hasTables,
  chosen,
  onChoose,
}: {
  readonly hasTables: boolean;
  readonly chosen: Kind | null;
  onChoose(kind: Kind): void;
}) {
  const w = useWords(taskWords);
  const { names, about } = useWords(kindWords);
  return (
    <section className="mb-6">
      <h2 className="font-semibold text-section">{w.startFrom}</h2>
      <p className="mb-2 text-ink2">{w.startFromBody}</p>
      <ul className="grid gap-2 sm:grid-cols-2 xl:grid-cols-4">
        {kinds.map((kind) => (
          <li key={kind}>
            <button
              type="button"
              disabled={!hasTables}
              aria-pressed={kind === chosen}
              onClick={() => onChoose(kind)}
              className={`flex h-full w-full flex-col rounded-[8px] border bg-panel px-3 py-2 text-left hover:border-line2 disabled:opacity-50 ${kind === chosen ? 'border-ink' : 'border-line'}`}
            >
              <span className="block font-medium">{names[kind]}</span>
              <span className="block text-ink2 text-meta">{about[kind]}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The functions that a question counts by. */
export function Help() {
  const w = useWords(taskWords);
  return (
    <section>
      <h2 className="mb-2 font-semibold text-section">{w.help}</h2>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-meta">
        {Object.entries(w.helpRows).map(([name, said]) => (
          <div key={name} className="contents">
            <dt className="font-mono">{name}(…)</dt>
            <dd className="text-ink2">{said}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The words of a question, each with an example over the workspace's own tables. */
export function Clauses({
  tables,
  months,
  isYaml,
  onTry,
}: {
  readonly tables: readonly ContractTable[];
  readonly months: Months;
  readonly isYaml: boolean;
  onTry(query: string): void;
}) {
  const w = useWords(taskWords);
  const examples = clauseExamples(tables, months);
  return (
    <details className="rounded-[6px] border border-line bg-panel px-3 py-2">
      <summary className="py-1 font-medium">{w.clauses}</summary>
      <dl className="mt-2 flex flex-col gap-3">
        {clauses.map((name) => (
          <div key={name} className="min-w-0">
            <dt className="font-mono text-meta">{name}</dt>
            <dd className="text-ink2">
              {w.clauseRows[name]}
              {examples?.[name] && (
                <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
                  <code className="min-w-0 break-words font-mono text-ink text-meta">{examples[name]}</code>
                  {!isYaml && (
                    <Button size="small" onClick={() => onTry(examples[name]!)}>
                      {w.tryClause}
                    </Button>
                  )}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** The tables and columns that a question may name. */
export function Tables({ tables }: { readonly tables: readonly ContractTable[] }) {
  const w = useWords(taskWords);
  return (
    <section>
      <h2 className="mb-2 font-semibold text-section">{w.tables}</h2>
      <ul className="flex flex-col gap-1">
        {tables.map(({ name, columns }) => (
          <li key={name}>
            <details>
              <summary className="break-all py-1 font-mono text-meta">{nameInQuery(name)}</summary>
              <p className="mt-1 break-words pl-4 font-mono text-ink2 text-meta">
                {columns.map((column) => nameInQuery(column.name)).join(', ')}
              </p>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
