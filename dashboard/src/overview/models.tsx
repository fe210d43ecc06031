import { Link } from '@tanstack/react-router';
import { Section } from '../kit/page.tsx';
import { AliasTag } from '../kit/status.tsx';
import { type Model, useModelList } from '../models/use-models.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { overviewWords } from './words.ts';

const shownMost = 8;

/** The models, and by which names they are asked. */
export function Models() {
  const w = useWords(overviewWords);
  const format = useFormat();
  const { data } = useModelList();
  if (!data || data.data.length === 0) return null;
  const count = `${format.integer(data.data.length)}${data.has_more ? '+' : ''}`;
  return (
    <Section title={w.models}>
      <ul className="divide-y divide-line border-line border-y">
        {answering(data.data)
          .slice(0, shownMost)
          .map(({ id, name, aliases }) => (
            <li key={id} className="flex items-center justify-between gap-3 py-2">
              <Link
                to="/models/$model_id"
                params={{ model_id: id }}
                className="min-w-0 truncate rounded font-medium hover:underline"
              >
                {name}
              </Link>
              <span className="flex shrink-0 gap-1.5">
                {aliases.length === 0 ? (
                  <span className="text-ink3 text-meta">{w.noAlias}</span>
                ) : (
                  aliases.slice(0, 3).map(({ alias }) => <AliasTag key={alias} alias={alias} />)
                )}
              </span>
            </li>
          ))}
      </ul>
      {data.data.length > shownMost && (
        <Link to="/models" className="mt-2 inline-block rounded text-accent underline underline-offset-2">
          {w.allModels(count)}
        </Link>
      )}
    </Section>
  );
}

/** Those that have an alias first, the oldest leading: what a workspace began with is what it mostly asks. */
function answering(models: readonly Model[]): readonly Model[] {
  const oldestFirst = models.toReversed();
  return [
    ...oldestFirst.filter(({ aliases }) => aliases.length > 0),
    ...oldestFirst.filter(({ aliases }) => aliases.length === 0),
  ];
}
