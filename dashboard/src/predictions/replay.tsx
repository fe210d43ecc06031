import { LastroError, type Schemas } from '@lastro/sdk';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Copy } from '../kit/copy.tsx';
import { Failed } from '../kit/states.tsx';
import { Dot } from '../kit/status.tsx';
import { useWords } from '../words/words.ts';
import { replayWords } from './replay-words.ts';

/** Characters of a hash that are shown; the whole one is copied. */
const hashShown = 16;

/** Has a prediction answered again, and says whether it is the same to the byte, where it differs, or what is gone. */
export function Replay({ id }: { readonly id: string }) {
  const w = useWords(replayWords);
  const client = useClient();
  const replay = useChange(() => client.predictions.replay(id), { isQuiet: true });
  return (
    <section className="flex flex-col items-start gap-2">
      <h3 className="font-semibold text-section">{w.title}</h3>
      <p className="text-ink3 text-meta">{w.about}</p>
      <Button isBusy={replay.isPending} onClick={() => replay.mutate(undefined)}>
        {w.replay}
      </Button>
      <div aria-live="polite" className="flex w-full flex-col gap-2">
        {replay.error ? (
          <NotReplayed error={replay.error} onRetry={() => replay.mutate(undefined)} />
        ) : (
          replay.data && <Outcome of={replay.data} />
        )}
      </div>
    </section>
  );
}

function Outcome({ of }: { readonly of: Schemas['PredictionReplay'] }) {
  const w = useWords(replayWords);
  const { bit_identical: isIdentical, differences, engine, log_intact: isIntact, pins, refusal } = of;
  const hash = of.replayed_hash;
  return (
    <>
      <Dot tone={isIdentical ? 'good' : 'bad'}>{isIdentical ? w.identical : w.different}</Dot>
      {isIntact === false && <p className="text-meta">{w.logAltered}</p>}
      {refusal && <p className="text-meta">{w.refused(refusal.detail)}</p>}
      {!isIdentical && !refusal && differences.length > 0 && (
        <div className="text-meta">
          <p>{w.where}</p>
          <ul className="list-disc pl-5">
            {differences.map((path) => (
              <li key={path}>
                <code className="break-all font-mono">{path}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {!isIdentical && !refusal && differences.length === 0 && <p className="text-meta">{w.hashAlone}</p>}
      {!isIdentical && pins.engine !== null && pins.engine !== engine && (
        <p className="text-meta">{w.engines(pins.engine, engine)}</p>
      )}
      {hash && (
        <p className="text-ink3 text-meta">
          SHA-256 <Copy text={hash} shown={`${hash.slice(0, hashShown)}…`} />
        </p>
      )}
    </>
  );
}

function NotReplayed({ error, onRetry }: { readonly error: Error; onRetry(): void }) {
  const w = useWords(replayWords);
  const pin = error instanceof LastroError && error.code === 'pin_gone' ? error.errors[0]?.pointer : undefined;
  const gone = pin === '/pins/version' ? w.versionGone : pin === '/pins/snapshot' ? w.snapshotGone : null;
  if (gone === null) return <Failed error={error} onRetry={onRetry} />;
  return (
    <>
      <Dot tone="warn">{w.cannot}</Dot>
      <p className="text-meta">{gone}</p>
    </>
  );
}
