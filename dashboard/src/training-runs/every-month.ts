export type LabelRate = { readonly month: string; readonly rows: number; readonly mean: number };

/** Reads the label rates of a run's metrics, whose form is open. */
export function labelRatesOf(metrics: unknown): readonly LabelRate[] {
  const told = (metrics as { readonly label_rates?: unknown } | null)?.label_rates;
  if (!Array.isArray(told)) return [];
  return told.filter(
    (one: Partial<LabelRate>): one is LabelRate =>
      typeof one?.month === 'string' && typeof one.rows === 'number' && typeof one.mean === 'number',
  );
}

/** Every month from the first to the last: those without labels have none, and no rate. */
export function everyMonth(
  rates: readonly LabelRate[],
): readonly (Omit<LabelRate, 'mean'> & { readonly mean: number | null })[] {
  const byMonth = new Map(rates.map((rate) => [rate.month, rate]));
  const months: string[] = [];
  const last = rates.at(-1)?.month ?? '';
  for (let month = rates[0]?.month ?? ''; month !== '' && month <= last; month = nextMonth(month)) months.push(month);
  return months.map((month) => byMonth.get(month) ?? { month, rows: 0, mean: null });
}

function nextMonth(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}
