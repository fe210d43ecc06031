import { Moment } from '../kit/moment.tsx';
import { Dot } from '../kit/status.tsx';
import { useWords } from '../words/words.ts';
import type { WatchList } from './scores.tsx';
import { watchListWords } from './words.ts';

/** Whether a list is up to date, being scored, or was not scored. */
export function ListState({ of }: { readonly of: WatchList }) {
  const { failure, is_due: isDue, as_of: at, alias_version_id: version } = of;
  const w = useWords(watchListWords);
  if (failure) return <Dot tone="bad">{w.failed}</Dot>;
  if (version === null) return <Dot tone="warn">{w.noServer}</Dot>;
  if (isDue) return <Dot tone="live">{w.due}</Dot>;
  return at === null ? (
    <Dot tone="quiet">{w.notYet}</Dot>
  ) : (
    <Dot tone="good">
      {w.fresh} · <Moment at={at} />
    </Dot>
  );
}
