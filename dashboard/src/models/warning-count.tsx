import { Link } from '@tanstack/react-router';
import { Tag } from '../kit/status.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { figuresOf } from './figures.ts';
import { foundOf, worstFirst } from './judge.ts';
import { useVersion } from './use-models.ts';
import { versionWords } from './version-words.ts';

/** How much a version's page warns of, with the gravest in words, and the way there. */
export function WarningCount({ modelId, versionId }: { readonly modelId: string; readonly versionId: string }) {
  const w = useWords(versionWords);
  const format = useFormat();
  const { data } = useVersion(modelId, versionId);
  if (!data) return <span className="text-ink3">…</span>;
  const warnings = worstFirst(foundOf(data));
  const isOne = figuresOf(data.metrics).length < 2;
  if (warnings.length === 0) return <span className="text-ink3">—</span>;
  const names: Readonly<Record<string, string>> = w.warningNames;
  const [{ code, output }] = warnings;
  // Beside it stands the verdict on another output, maybe, which it is not to contradict.
  const gravest = `${output !== undefined && !isOne ? `${output}: ` : ''}${names[code] ?? code}`;
  return (
    <Link
      to="/models/$model_id/versions/$version_id"
      params={{ model_id: modelId, version_id: versionId }}
      hash={warningsAnchor}
      title={gravest}
      className="block rounded"
    >
      <Tag tone="warn">{w.warningCount(warnings.length, format.integer(warnings.length))}</Tag>
      <span className="mt-0.5 line-clamp-2 whitespace-normal text-meta text-warn leading-4">{gravest}</span>
    </Link>
  );
}

/** Where a version's page has its warnings. */
export const warningsAnchor = 'warnings';
