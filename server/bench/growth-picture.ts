// Draws how memory and time grow with a lender.

export type Grown = {
  readonly customers: number;
  readonly rows: number;
  /** Peak memory in MB, and seconds by the clock. */
  readonly learned: readonly [peakMb: number, seconds: number];
  readonly scored: readonly [peakMb: number, seconds: number];
};

const [panelWidth, panelHeight, left, top, between] = [300, 200, 56, 44, 120];
const [width, height] = [2 * panelWidth + left + between + 50, panelHeight + top + 60];
const lines = [
  { name: 'learned', color: '#2563eb' },
  { name: 'scored, each customer once', color: '#b45309' },
] as const;

/** An SVG of two charts over the number of customers, on scales of powers of ten across: gigabytes, and minutes. */
export function growthPicture(grown: readonly Grown[]): string {
  const panels = [
    { title: 'Peak memory, GB', of: ([peakMb]: readonly [number, number]) => peakMb / 1024 },
    { title: 'Time, minutes', of: ([, seconds]: readonly [number, number]) => seconds / 60 },
  ];
  const drawn = panels.map(({ title, of }, p) => {
    const x0 = left + p * (panelWidth + between);
    const values = grown.map(({ learned, scored }) => [of(learned), of(scored)]);
    return drawPanel(title, x0, grown, values);
  });
  const legend = lines.map(
    ({ name, color }, k) =>
      `<rect x="${left + k * 110}" y="${height - 18}" width="12" height="3" fill="${color}"/><text x="${left + 18 + k * 110}" y="${height - 12}">${name}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#374151" role="img" aria-label="Memory and time by number of customers">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${[...drawn, ...legend].join('\n')}
</svg>
`;
}

function drawPanel(title: string, x0: number, grown: readonly Grown[], values: readonly (readonly number[])[]): string {
  const most = niceAbove(Math.max(...values.flat()));
  const [low, high] = [Math.log10(grown[0].customers), Math.log10(grown.at(-1)!.customers)];
  const x = (customers: number) => round(x0 + (panelWidth * (Math.log10(customers) - low)) / (high - low || 1));
  const y = (value: number) => round(top + panelHeight * (1 - value / most));
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => share * most);
  return [
    `<text x="${x0}" y="${top - 18}" font-size="14" font-weight="600">${title}</text>`,
    ...ticks.map(
      (tick) =>
        `<line x1="${x0}" x2="${x0 + panelWidth}" y1="${y(tick)}" y2="${y(tick)}" stroke="#e5e7eb"/><text x="${x0 - 8}" y="${y(tick) + 4}" text-anchor="end">${round(tick)}</text>`,
    ),
    ...grown.map(
      ({ customers, rows }) =>
        `<text x="${x(customers)}" y="${top + panelHeight + 18}" text-anchor="middle">${customers.toLocaleString('en')}</text><text x="${x(customers)}" y="${top + panelHeight + 32}" text-anchor="middle" fill="#6b7280">${(rows / 1e6).toPrecision(2)} M rows</text>`,
    ),
    ...lines.map(({ color }, k) => {
      const points = grown.map(({ customers }, g) => `${x(customers)},${y(values[g][k])}`);
      const dots = grown.map(
        ({ customers }, g) => `<circle cx="${x(customers)}" cy="${y(values[g][k])}" r="3" fill="${color}"/>`,
      );
      return `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}`;
    }),
  ].join('\n');
}

/** The least of 1, 1.2, 1.6, 2, 4, 6, 8 or 10 times a power of ten that is not below `value`. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.2, 1.6, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value)!;
}

const round = (value: number): number => Math.round(value * 10) / 10;
