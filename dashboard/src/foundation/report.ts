/** What a report says, as far as it has the form that is known: versions can be of an older one. */
export type RfmReport = {
  readonly until: string | null;
  readonly validatedAfter: string | null;
  readonly inputs: number | null;
  readonly pairs: number | null;
  readonly steps: number | null;
  readonly width: number | null;
  readonly relativeLoss: readonly (readonly [length: string, loss: number])[];
  readonly heads: readonly Head[];
};

export type Head = {
  readonly target: string;
  readonly days: number;
  readonly rows: number;
  readonly auroc: number | null;
  /** The share of a constant's loss that it saves; below zero it is worse. */
  readonly better: number | null;
};

export function readReport(report: unknown): RfmReport {
  const of = record(report);
  return {
    until: text(of.until),
    validatedAfter: text(of.validated_after),
    inputs: number(of.inputs),
    pairs: number(of.pairs),
    steps: number(of.steps),
    width: number(of.width),
    relativeLoss: Object.entries(record(of.relative_loss)).flatMap(([length, loss]) =>
      typeof loss === 'number' ? [[length, loss] as const] : [],
    ),
    heads: Array.isArray(of.heads) ? of.heads.map(readHead) : [],
  };
}

function readHead(head: unknown): Head {
  const of = record(head);
  const [loss, constant] = [number(of.loss), number(of.constant)];
  return {
    target: text(of.target) ?? '',
    days: number(of.days) ?? 0,
    rows: number(of.rows) ?? 0,
    auroc: number(of.auroc),
    better: loss !== null && constant !== null && constant > 0 ? 1 - loss / constant : null,
  };
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
