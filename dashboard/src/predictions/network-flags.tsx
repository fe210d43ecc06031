import { KeyText } from '../kit/document.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { answerWords } from './answer-words.ts';
import { Part } from './part.tsx';

type Step = { readonly entity: string | null; readonly relation?: string | null; readonly date?: string | null };
type Flag = {
  readonly kind: string;
  readonly text: string;
  readonly path?: readonly Step[];
};

/** What the network of somebody shows, each as its sentence with the path that it is about. */
export function NetworkFlags({ of }: { readonly of: unknown }) {
  const w = useWords(answerWords);
  const format = useFormat();
  const flags = Array.isArray(of) ? (of as readonly Flag[]) : [];
  if (flags.length === 0) return null;
  return (
    <Part title={w.network}>
      <ul className="divide-y divide-line">
        {flags.map(({ kind, text, path = [] }) => (
          <li key={`${kind} ${text}`} className="py-2">
            <p className="break-words">{text.replaceAll(/\d{4}-\d\d-\d\d/g, (day) => format.day(day))}</p>
            {path.length > 0 && (
              <ol className="mt-1 flex flex-wrap items-center gap-x-1.5 gap-y-1 text-meta">
                {path.map(({ entity, relation, date }, at) => (
                  <li key={`${at} ${entity}`} className="inline-flex min-w-0 items-center gap-1.5">
                    {at > 0 && (
                      <span aria-hidden="true" className="text-ink3">
                        →
                      </span>
                    )}
                    {relation && <span className="text-ink3">{relation}</span>}
                    <span className="min-w-0 max-w-52 truncate rounded-[4px] bg-sunken px-1.5 py-px font-mono">
                      {entity === null ? w.somebody : <KeyText text={entity} />}
                    </span>
                    {date && <span className="text-ink3">{format.day(date)}</span>}
                  </li>
                ))}
              </ol>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}
