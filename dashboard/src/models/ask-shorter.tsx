import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { buttonClass } from '../kit/button.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { useFieldName } from './doubt-words.ts';
import type { Figures } from './figures.ts';
import { betterSooner, daysOf } from './say-chances.ts';
import { verdictWords } from './verdict-words.ts';

/** Leads from an outcome that fails to the same question up to the longest time ahead that was foretold better. */
export function AskShorter({
  taskId,
  output,
  figures,
}: {
  readonly taskId: string | undefined;
  readonly output: string | undefined;
  readonly figures: readonly Figures[];
}) {
  const w = useWords(verdictWords);
  const nameOf = useFieldName();
  const format = useFormat();
  const { can } = useSession();
  const sooner = output === undefined ? undefined : betterSooner(output, figures);
  if (!sooner) return null;
  const days = daysOf(sooner.name)!;
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <p>{w.betterSooner(nameOf(sooner.name))}</p>
      {taskId !== undefined && can('manage_aliases') && (
        <Link to="/tasks/new" search={{ from: taskId, days }} className={buttonClass('secondary', 'small')}>
          {w.askSooner(format.integer(days))}
        </Link>
      )}
    </div>
  );
}
