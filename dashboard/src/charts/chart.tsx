import { type ReactNode, useEffect, useRef, useState } from 'react';
import { importPart } from '../shell/new-build.ts';
import { useTheme } from '../shell/theme.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Option } from './echarts.ts';

/** The colours of the page as they are now, since a chart cannot read variables by itself. */
export type Palette = Readonly<
  Record<
    'ink' | 'ink2' | 'ink3' | 'line' | 'panel' | 'accent' | 'good' | 'warn' | 'bad' | 'challenger' | 'sunken',
    string
  >
> & {
  /** From the best band to the worst. */
  readonly bands: readonly string[];
};

/**
 * A chart by ECharts, which is loaded when the first one is shown. `summary` says in words what it shows, and `table`
 * the same numbers, for those who cannot or do not want to see it.
 */
export function Chart({
  option,
  summary,
  table,
  height = 240,
}: {
  /** Made of the palette, so that it follows the theme. Memoize it or make it cheap. */
  readonly option: (palette: Palette) => Option;
  readonly summary: string;
  readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly ReactNode[])[] };
  readonly height?: number;
}) {
  const w = useWords(common);
  const { language } = useFormat();
  const theme = useTheme();
  const box = useRef<HTMLDivElement>(null);
  const [isTable, setTable] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew in another theme or language
  useEffect(() => {
    if (isTable || !box.current) return;
    const element = box.current;
    let end = () => {};
    let isGone = false;
    importPart(() => import('./echarts.ts')).then(({ draw }) => {
      if (!isGone) end = draw(element, option(paletteNow()));
    });
    return () => {
      isGone = true;
      end();
    };
  }, [option, isTable, theme, language]);
  return (
    <figure className="min-w-0">
      {/* Two elements: the chart clears its own when it goes, which comes after the table is there. */}
      {isTable ? (
        <div key="table" className="overflow-auto" style={{ maxHeight: Math.max(height, 200) }}>
          <table className="w-full text-body">
            <thead>
              <tr className="border-line border-b text-left text-ink3 text-meta">
                {table.head.map((head) => (
                  <th key={head} className="px-2 py-1 font-normal">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row, at) => (
                <tr key={at} className="border-line border-b">
                  {row.map((cell, column) => (
                    <td key={table.head[column]} className="px-2 py-1">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div key="chart" ref={box} role="img" aria-label={summary} style={{ height }} />
      )}
      <figcaption className="mt-1 flex flex-wrap items-baseline justify-between gap-2 text-ink3 text-meta">
        <span>{summary}</span>
        <button
          type="button"
          className="rounded py-1 text-ink2 underline-offset-2 hover:underline"
          onClick={() => setTable(!isTable)}
        >
          {isTable ? w.asChart : w.asTable}
        </button>
      </figcaption>
    </figure>
  );
}

export function paletteNow(): Palette {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: of('ink'),
    ink2: of('ink2'),
    ink3: of('ink3'),
    line: of('line'),
    panel: of('panel'),
    sunken: of('sunken'),
    accent: of('accent'),
    good: of('good'),
    warn: of('warn'),
    bad: of('bad'),
    challenger: of('challenger'),
    bands: ['exceptional', 'low', 'moderate', 'medium', 'high', 'very-high'].map((band) => of(`band-${band}`)),
  };
}
