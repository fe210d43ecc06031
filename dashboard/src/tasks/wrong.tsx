import { LastroError } from '@lastro/sdk';
import { Button } from '../kit/button.tsx';
import { Detail, Refusal } from '../kit/states.tsx';
import { useWords } from '../words/words.ts';
import { correctionOf, placeOf } from './suggest.ts';
import { taskWords } from './words.ts';

/** What the service says is wrong, at its place in the definition, with the word that it would rather read. */
export function Wrong({
  error,
  definition,
  onCorrect,
}: {
  readonly error: unknown;
  readonly definition: string;
  onCorrect(definition: string): void;
}) {
  const w = useWords(taskWords);
  const places = error instanceof LastroError ? error.errors.filter(({ pointer }) => pointer === '/definition') : [];
  if (places.length === 0) return <Refusal error={error} />;
  return (
    <div role="alert" className="rounded-[6px] border border-bad/30 bg-bad-soft px-3 py-2">
      <p className="font-medium">{w.wrong}</p>
      <ul className="mt-1 flex flex-col gap-2">
        {places.map(({ detail, because }) => {
          const at = placeOf(detail, definition);
          const correction = correctionOf(detail);
          return (
            <li key={detail} className="min-w-0">
              <p className="break-words">
                <Detail because={because}>{detail}</Detail>
              </p>
              {at !== null && <Marked text={definition} at={at} />}
              {correction && definition.includes(correction.wrong) && (
                <Button
                  size="small"
                  className="mt-1"
                  onClick={() => onCorrect(definition.replace(wordOf(correction.wrong), correction.right))}
                >
                  {w.use(correction.right)}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const wordOf = (word: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d_])${word.replaceAll('.', '\\.')}(?![\\p{L}\\d_])`, 'u');

/** The line of a text with a mark under a place. */
function Marked({ text, at }: { readonly text: string; readonly at: number }) {
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const line = text.slice(from).split('\n', 1)[0];
  return (
    <pre className="mt-1 overflow-x-auto font-mono text-ink2 text-meta leading-4" tabIndex={0}>
      {line}
      {'\n'}
      <span aria-hidden="true" className="text-bad">
        {' '.repeat(at - from)}^
      </span>
    </pre>
  );
}
