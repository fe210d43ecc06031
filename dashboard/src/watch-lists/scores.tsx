import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { Band, bandByName } from '../kit/bands.tsx';
import { KeyText } from '../kit/document.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { watchListWords } from './words.ts';

export type WatchList = Schemas['WatchList'];
export type Entry = Schemas['WatchListEntry'];
export type Move = Schemas['WatchListMove'];

type Scored = { readonly score: number; readonly band: string | null };

/** A score with its band or class. */
export function ScoreText({ of: { score, band } }: { readonly of: Scored }) {
  const format = useFormat();
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span className="tabular-nums">{format.number(score)}</span>
      {band !== null && <Band name={band} />}
    </span>
  );
}

/** What somebody moved from, and to. */
export function MoveText({ of: { from, to } }: { readonly of: Pick<Move, 'from' | 'to'> }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <ScoreText of={from} />
      <ArrowRight size={13} className="text-ink3" aria-label="→" role="img" />
      <ScoreText of={to} />
    </span>
  );
}

/** Whom a row is of, as a link to its page. */
export function WatchedLink({ table, of }: { readonly table: string; readonly of: string }) {
  return (
    <Link
      to="/entities/$table/$key"
      params={{ table, key: of }}
      className="rounded font-mono text-accent text-meta underline underline-offset-2"
    >
      <bdi>
        <KeyText text={of} />
      </bdi>
    </Link>
  );
}

/** Of the picture, in pixels. */
const [width, height, edge] = [96, 22, 3];

/** The newest scores of an entity as a line, each from when it was so on, with the last in the colour of its band. */
export function HistoryLine({ of: { history, band } }: { readonly of: Pick<Entry, 'history' | 'band'> }) {
  const w = useWords(watchListWords);
  const format = useFormat();
  if (history.length === 0) return null;
  const scores = history.map(({ score }) => score);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const times = history.map(({ at }) => Date.parse(at));
  const [first, last] = [times[0], times[times.length - 1]];
  const x = (time: number) => edge + ((width - 2 * edge) * (time - first)) / Math.max(1, last - first);
  const y = (score: number) =>
    high === low ? height / 2 : height - edge - ((height - 2 * edge) * (score - low)) / (high - low);
  const steps = history.map(({ score }, at) =>
    at === 0 ? `M${x(times[0])} ${y(score)}` : `H${x(times[at])}V${y(score)}`,
  );
  const [end, to] = history.length === 1 ? [width - edge, `H${width - edge}`] : [x(last), ''];
  const said = w.historyOf(format.number(scores[0]), format.number(scores[scores.length - 1]), String(scores.length));
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={said}>
      <title>{said}</title>
      <path d={`${steps.join('')}${to}`} fill="none" stroke="var(--ink3)" strokeWidth="1.25" />
      <circle
        cx={end}
        cy={y(scores[scores.length - 1])}
        r="2.5"
        fill={(band !== null && bandByName(band)?.color) || 'var(--ink)'}
      />
    </svg>
  );
}
