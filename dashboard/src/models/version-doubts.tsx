import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { doubtWords, useFieldName } from './doubt-words.ts';
import { foundOf } from './judge.ts';

/** What was found but what is odd in the data, which says nothing of how far to trust an answer. */
const doubtsOf = (version: Parameters<typeof foundOf>[0]) => foundOf(version).filter(({ code }) => code !== 'data');

/** Whether anything was found of a version that `VersionDoubts` tells, with the way to its page. */
export const isDoubted = (version: Parameters<typeof foundOf>[0]): boolean => doubtsOf(version).length > 0;

/** What was found of the version on later rows, which whoever goes by its numbers should know. */
export function VersionDoubts({
  version,
  isOfOutputs = true,
}: {
  readonly version: Pick<Schemas['ModelVersion'], 'id' | 'model_id' | 'metrics' | 'warnings'>;
  /** Whether those of single outputs are told here, and not beside their numbers. */
  readonly isOfOutputs?: boolean;
}) {
  const w = useWords(doubtWords);
  const nameOf = useFieldName();
  const format = useFormat();
  const doubted = doubtsOf(version);
  if (doubted.length === 0) return null;
  const told = isOfOutputs ? doubted : doubted.filter(({ output }) => !output);
  const byCode = [...Map.groupBy(told, ({ code }) => code)];
  return (
    <div
      role="note"
      className={`mt-4 text-warn ${byCode.length > 0 ? 'rounded-[6px] bg-warn-soft px-2.5 py-1.5' : ''}`}
    >
      {byCode.map(([code, warnings]) => {
        const outputs = warnings.flatMap(({ output }) => (output ? [nameOf(output)] : []));
        const said = w.doubts[code as keyof typeof w.doubts] ?? code;
        return <p key={code}>{outputs.length > 0 ? `${format.list(outputs)}: ${said}` : said}</p>;
      })}
      <Link
        to="/models/$model_id/versions/$version_id"
        params={{ model_id: version.model_id, version_id: version.id }}
        className="underline underline-offset-2"
      >
        {w.more}
      </Link>
    </div>
  );
}
