import { Link } from '@tanstack/react-router';
import { Tag } from '../kit/status.tsx';
import { useWords } from '../words/words.ts';
import { foundOf } from './judge.ts';
import type { Version } from './use-models.ts';
import { versionWords } from './version-words.ts';

/** What a version is warned of, in brief, with the way to its page, which tells more. */
export function WarningTags({ version }: { readonly version: Version }) {
  const { id, model_id: modelId, number } = version;
  const w = useWords(versionWords);
  const names: Readonly<Record<string, string>> = w.warningNames;
  const warnings = foundOf(version);
  if (warnings.length === 0) return null;
  const byCode = [...Map.groupBy(warnings, ({ code }) => code)];
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
      <Link
        to="/models/$model_id/versions/$version_id"
        params={{ model_id: modelId, version_id: id }}
        className="text-accent underline underline-offset-2"
      >
        v{number}
      </Link>
      {byCode.map(([code, alike]) => (
        <span key={code} className="flex flex-wrap items-center gap-x-1.5">
          <Tag tone="warn">{names[code] ?? code}</Tag>
          {[...new Set(alike.flatMap(({ output }) => output ?? []))].map((output) => (
            <code key={output} className="font-mono text-meta">
              {output}
            </code>
          ))}
        </span>
      ))}
    </p>
  );
}
