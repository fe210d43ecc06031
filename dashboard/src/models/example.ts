import type { Lastro, Schemas } from '@lastro/sdk';
import { readContract } from '../data/contract.ts';
import { newestIngestion } from '../data/newest-ingestion.ts';
import { reportOf } from '../data/report.ts';
import { clockIn, dayIn } from '../kit/day.ts';

type Field = Schemas['ModelField'];
type Example = {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Inputs that name somebody: whom the data have, and whom they do not. */
  readonly real: readonly string[];
  readonly madeUp: readonly string[];
  /** The day of the newest data, by which a new row is dated where that is long ago; null where it is dated by now. */
  readonly newestDay: string | null;
};

/** Data are old when they are silent for more days than these, and than they ever were. */
const silenceLeast = 30;
const dayMs = 24 * 60 * 60_000;

/**
 * Examples of what a version needs, and of what it draws importance from: whom they name the data have, as far as they
 * may be looked up, and a new row is of now on the clocks of the workspace, or of the newest day of data that are old. Its
 * other dates are as far from that as in the version's own examples.
 */
export async function exampleOf(
  client: Lastro,
  { inputs, contract_id: contract }: Pick<Schemas['ModelVersion'], 'inputs' | 'contract_id'>,
  timeZone: string,
): Promise<Example> {
  const { document } = await client.contracts.get(contract);
  const { tables } = await readContract(document);
  const dating = inputs.find(({ type, dates_row: dates }) => dates && (type === 'date' || type === 'timestamp'));
  const newestDay = dating ? await oldDataEnd(client, timeZone) : null;
  const datedAt = newestDay === null ? wallClock(timeZone) : Date.parse(`${newestDay}T12:00:00Z`);
  const values = await Promise.all(
    filledOf(inputs).map(async (field) => {
      const { name, type, example, source, dates_row: dates } = field;
      const column = tables
        .find((table) => table.name === source?.table)
        ?.columns.find((one) => one.name === source?.column);
      const named = column?.isKey ? source?.table : column?.references[0]?.table;
      if (named === undefined) {
        const ownMs = dates ? 0 : Math.min(apartMs(example, dating?.example), column?.isPlanned ? Infinity : 0);
        return { name, value: momentText(type, datedAt + ownMs) ?? example, isReal: null };
      }
      // Tables whose rows are no entities are not looked up in.
      const found = await client.entities.find({ table: named, limit: 1 }).catch(() => null);
      const key = found?.data[0]?.key;
      if (key === undefined) return { name, value: example, isReal: false };
      return { name, value: type === 'integer' || type === 'number' ? Number(key) : key, isReal: true };
    }),
  );
  return {
    inputs: Object.fromEntries(values.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    real: values.filter(({ isReal }) => isReal === true).map(({ name }) => name),
    madeUp: values.filter(({ isReal }) => isReal === false).map(({ name }) => name),
    newestDay,
  };
}

function filledOf(fields: readonly Field[]): readonly Field[] {
  return fields.filter(({ name, required, importance }) => name !== 'reference_date' && (required || importance));
}

/** The newest day with an event, where that is long before today; null otherwise, and for who may not know. */
async function oldDataEnd(client: Lastro, timeZone: string): Promise<string | null> {
  const one = await newestIngestion(client).catch(() => null);
  const { newest, silence_max: silence } = (one && reportOf(one).event_days) ?? { newest: null, silence_max: 0 };
  if (newest === null) return null;
  const age = (Date.parse(dayIn(timeZone, Date.now())) - Date.parse(newest)) / dayMs;
  return age > Math.max(silence, silenceLeast) ? newest : null;
}

/** What the clocks of a zone show now, as milliseconds of such a clock. */
function wallClock(timeZone: string): number {
  return Date.parse(`${clockIn(timeZone, Date.now())}Z`);
}

/** Milliseconds from one example of a day or moment to another; NaN where one is none. */
function apartMs(one: unknown, from: unknown): number {
  return Date.parse(String(one)) - Date.parse(String(from));
}

/** A day or moment as an input takes it; undefined for an input of another type, and where there is none. */
function momentText(type: Field['type'], at: number): string | undefined {
  if (Number.isNaN(at) || (type !== 'date' && type !== 'timestamp')) return undefined;
  return new Date(at).toISOString().slice(0, type === 'date' ? 10 : 19);
}
