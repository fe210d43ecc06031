import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';

/** The six bands of the specification, the best first. */
export const bands = [
  { name: 'Exceptional', key: 'exceptional', from: 900, color: 'var(--band-exceptional)' },
  { name: 'Low Risk', key: 'low', from: 800, color: 'var(--band-low)' },
  { name: 'Moderate Risk', key: 'moderate', from: 700, color: 'var(--band-moderate)' },
  { name: 'Medium Risk', key: 'medium', from: 600, color: 'var(--band-medium)' },
  { name: 'High Risk', key: 'high', from: 400, color: 'var(--band-high)' },
  { name: 'Very High Risk', key: 'veryHigh', from: 0, color: 'var(--band-very-high)' },
] as const;
export type BandName = (typeof bands)[number]['name'];

export const bandOfScore = (score: number) => bands.find(({ from }) => score >= from) ?? bands[bands.length - 1];
export const bandByName = (name: string) => bands.find((one) => one.name === name);

/** The name of a band with its mark. */
export function Band({ name }: { readonly name: string }) {
  const w = useWords(common);
  const band = bandByName(name);
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span
        className="h-3 w-1 shrink-0 rounded-[1px]"
        style={{ background: band?.color ?? 'var(--line2)' }}
        aria-hidden="true"
      />
      {band ? w.bands[band.key] : name}
    </span>
  );
}

const scale = [...bands].reverse();

/** The scale of 0 to 1000 in its bands with a tick at the score: the signature of the product. */
export function ScoreStrip({ score, isSmall }: { readonly score: number; readonly isSmall?: boolean }) {
  const w = useWords(common);
  const band = bandOfScore(score);
  const at = scale.indexOf(band);
  const share = ((scale[at + 1]?.from ?? 1000) - band.from) / 1000;
  return (
    <div
      className={`relative ${isSmall ? 'w-16 shrink-0' : 'w-full'}`}
      role="img"
      aria-label={`${score} / 1000, ${w.bands[band.key]}`}
    >
      <div className={`score-scale rounded-[3px] ${isSmall ? 'h-1.5' : 'h-2.5'}`}>
        <div
          className={`h-full ${at === 0 ? 'rounded-l-[3px]' : ''} ${at === scale.length - 1 ? 'rounded-r-[3px]' : ''}`}
          style={{
            marginLeft: `calc(${band.from / 1000} * (100% - 5px) + ${at}px)`,
            width: `calc(${share} * (100% - 5px))`,
            background: band.color,
          }}
        />
      </div>
      <div
        className={`absolute -top-[3px] w-[3px] rounded-full bg-ink ring-2 ring-panel ${isSmall ? 'h-3' : 'h-4'}`}
        style={{ left: `calc(${score / 10}% - 1.5px)` }}
      />
      {!isSmall && (
        <div className="@container relative mt-1 h-4 text-ink3 text-micro" aria-hidden="true">
          {[0, 400, 600, 700, 800, 900, 1000].map((limit) => (
            <span
              key={limit}
              className={`absolute -translate-x-1/2 first:translate-x-0 last:-translate-x-full ${limit === 900 ? '@max-md:hidden' : ''}`}
              style={{ left: `${limit / 10}%` }}
            >
              {limit}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

/** How many are in each band, once it is known; a band is a filter that is set and taken back by a click. */
export function BandFilter({
  counts,
  chosen,
  onChoose,
}: {
  readonly counts: ReadonlyMap<string, number> | undefined;
  readonly chosen: string | undefined;
  onChoose(band: BandName | undefined): void;
}) {
  const w = useWords(common);
  const format = useFormat();
  const total = bands.reduce((sum, { name }) => sum + (counts?.get(name) ?? 0), 0);
  return (
    <div className="grid grid-cols-2 gap-1 sm:grid-cols-6">
      {bands.map(({ name, key, color, from }) => {
        const count = counts?.get(name) ?? 0;
        const isChosen = chosen === name;
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChoose(isChosen ? undefined : name)}
            className={`@container rounded-[6px] border px-2.5 py-2 text-left transition-colors ${isChosen ? 'border-ink bg-panel' : 'border-line bg-panel hover:bg-sunken'}`}
          >
            <span
              className={`mb-1.5 block h-1 rounded-full ${chosen && !isChosen ? 'opacity-30' : ''}`}
              style={{ background: color }}
              aria-hidden="true"
            />
            <span className="flex items-baseline justify-between gap-2">
              <span className="truncate text-ink2 text-meta">{w.bands[key]}</span>
              <span className="text-ink3 text-micro @max-[8.5rem]:hidden">{from}+</span>
            </span>
            <span className="flex items-baseline gap-2">
              <span className="font-semibold text-section">{counts ? format.integer(count) : '–'}</span>
              {total > 0 && <span className="text-ink3 text-micro">{format.percent(count / total)}</span>}
            </span>
          </button>
        );
      })}
    </div>
  );
}
