import { Button } from '../kit/button.tsx';
import { Tag } from '../kit/status.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { ContractTable } from './contract.ts';
import { doubtWords } from './doubt-words.ts';
import { kindsTo, type Remedy, remediesOf } from './doubts.ts';
import { useGuessName } from './guess-name.ts';
import { sayReason } from './reason-words.ts';
import type { Guess } from './report.ts';
import { useTypeName } from './types.tsx';
import { dataWords } from './words.ts';

/** Notes what a table (`column` is null) or column is to say; null for those who cannot. */
export type Noting = ((table: string, column: string | null, values: Remedy['values']) => void) | null;

/** Columns that refer to rows of which nothing says what they are: so many are named. */
const referrersShown = 3;

/** What was assumed, why, what comes of it where it is wrong, and what one click does about it. */
export function Doubt({
  guess,
  table,
  onNote,
  onConfirm,
}: {
  readonly guess: Guess;
  readonly table: ContractTable;
  readonly onNote: Noting;
  /** Null for those who cannot correct it. */
  readonly onConfirm: ((guess: Guess) => void) | null;
}) {
  const w = useWords(doubtWords);
  const format = useFormat();
  const assumption = useAssumption();
  const reason = sayReason(guess, format);
  const figure = useFigure()(guess);
  return (
    <Lines
      isLikely={guess.confidence === 'medium'}
      assumed={w.assumed(assumption(guess))}
      why={`${begun(reason)}${/[.!?]$/.test(reason) ? '' : '.'}${figure}`}
      cost={costOf(guess, w.cost)}
      remedies={remediesOf(guess, table)}
      onNote={onNote && ((column, values) => onNote(table.name, column, values))}
      onConfirm={onConfirm && (() => onConfirm(guess))}
    />
  );
}

/** A table to whose rows others refer, and of which nothing says what they are. */
export function UnnamedDoubt({
  table,
  tables,
  onNote,
}: {
  readonly table: ContractTable;
  readonly tables: readonly ContractTable[];
  readonly onNote: Noting;
}) {
  const w = useWords(doubtWords);
  const format = useFormat();
  const referring = tables.flatMap(({ name, columns }) =>
    columns
      .filter(({ references }) => references.some((one) => one.table === table.name))
      .map((column) => `${name}.${column.name}`),
  );
  const shown = referring.slice(0, referrersShown);
  return (
    <Lines
      isLikely={false}
      assumed={w.unnamed(table.name)}
      why={w.unnamedWhy(format.list(shown), referring.length - shown.length)}
      cost={w.cost.unnamed}
      remedies={kindsTo(table)}
      onNote={onNote && ((column, values) => onNote(table.name, column, values))}
    />
  );
}

function Lines({
  isLikely,
  assumed,
  why,
  cost,
  remedies,
  onNote,
  onConfirm = null,
}: {
  readonly isLikely: boolean;
  readonly assumed: string;
  readonly why: string;
  readonly cost: string;
  readonly remedies: readonly Remedy[];
  readonly onNote: ((column: string | null, values: Remedy['values']) => void) | null;
  /** Null of what nothing is assumed about. */
  readonly onConfirm?: (() => void) | null;
}) {
  const w = useWords(doubtWords);
  const data = useWords(dataWords);
  const kinds = data.kinds as Readonly<Record<string, string>>;
  return (
    <div className="max-w-3xl break-words text-meta">
      <p className="text-body">
        {isLikely ? <Tag>{data.confidence.medium}</Tag> : <Tag tone="warn">{data.toCheck}</Tag>} {assumed}
      </p>
      <p className="mt-0.5 text-ink2">
        <span className="text-ink3">{w.why}:</span> {why}
      </p>
      <p className="text-ink2">
        <span className="text-ink3">{w.ifWrong}:</span> {cost}
      </p>
      {onNote && (
        <div className="mt-1 flex flex-wrap gap-1.5">
          {onConfirm && (
            <Button size="small" onClick={onConfirm}>
              {w.confirm}
            </Button>
          )}
          {remedies.map(({ does, to, column, values }) => (
            <Button key={`${does} ${to}`} size="small" onClick={() => onNote(column, values)}>
              {w.do[does](does === 'rowsAre' ? (kinds[to] ?? to) : to)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

function useAssumption(): (guess: Guess) => string {
  const w = useWords(doubtWords);
  const { kinds } = useWords(dataWords);
  const typeName = useTypeName();
  const guessName = useGuessName();
  return ({ kind, value, column, table, applied = true }) => {
    const said: Readonly<Record<string, (column: string, table: string, value: string) => string>> = applied
      ? w.taken
      : w.left;
    const [type = '', form] = value.split(' ');
    const shown =
      kind === 'entityKind'
        ? ((kinds as Readonly<Record<string, string>>)[value] ?? value)
        : kind === 'type'
          ? `${typeName(type)}${form ? ` · ${form}` : ''}`
          : value;
    const named = kind === 'key' ? value : (column ?? table);
    return said[kind]?.(named, table, shown) ?? w.other(named, guessName({ kind, value, column }));
  };
}

/** What was seen of the column, as a sentence after a blank; '' where the service has not said it. */
function useFigure(): (guess: Guess) => string {
  const w = useWords(doubtWords);
  const format = useFormat();
  return ({ kind, value, seen }) => {
    if (!seen) return '';
    const counts = [seen.rows, seen.filled, seen.distinct].map((count) => format.integer(count));
    const [rows, filled, distinct] = counts as [string, string, string];
    const ofKind = kind === 'key' && value !== seen.column ? 'together' : kind;
    const say: Readonly<Record<string, (...figures: [string, string, string, string]) => string>> = w.seen;
    const figure = (say[ofKind] ?? w.seen.other)(rows, filled, distinct, seen.column);
    return ` ${begun(figure)}${seen.examples.length > 0 ? w.suchAs(seen.examples.join(', ')) : ''}.`;
  };
}

function costOf({ kind, value, table, applied = true }: Guess, w: (typeof doubtWords)['en']['cost']): string {
  if (kind === 'key') return applied ? w.keyTaken : w.keyLeft(table);
  if (kind === 'reference') return applied ? w.referenceTaken : w.referenceLeft(value.replace(/\.[^.]*$/, ''));
  if (kind === 'time') return applied ? w.timeTaken(table) : w.timeLeft(table);
  return (w as unknown as Readonly<Record<string, string>>)[kind] ?? w.other;
}

const begun = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
