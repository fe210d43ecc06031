import type { Lastro, Schemas } from '@lastro/sdk';
import { readContract } from '../data/contract.ts';
import { dayIn } from '../kit/day.ts';

type Field = Schemas['ModelField'];
type Example = {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The keys among them that the data do not have. */
  readonly madeUp: readonly string[];
};

/**
 * Examples of what a version needs, and of what it draws importance from: whom they name the data have, as far as they
 * may be looked up, and a new row is of now on the clocks of the workspace.
 */
export async function exampleOf(
  client: Lastro,
  { inputs, contract_id: contract }: Pick<Schemas['ModelVersion'], 'inputs' | 'contract_id'>,
  timeZone: string,
): Promise<Example> {
  const { document } = await client.contracts.get(contract);
  const { tables } = await readContract(document);
  const values = await Promise.all(
    filledOf(inputs).map(async (field) => {
      const { name, type, example, source, dates_row: dates } = field;
      const column = tables
        .find((table) => table.name === source?.table)
        ?.columns.find((one) => one.name === source?.column);
      const named = column?.isKey ? source?.table : column?.references[0]?.table;
      if (named === undefined) return { name, value: (dates && now(type, timeZone)) ?? example, isMadeUp: false };
      // Tables whose rows are no entities are not looked up in.
      const found = await client.entities.find({ table: named, limit: 1 }).catch(() => null);
      const key = found?.data[0]?.key;
      if (key === undefined) return { name, value: example, isMadeUp: true };
      return { name, value: type === 'integer' || type === 'number' ? Number(key) : key, isMadeUp: false };
    }),
  );
  return {
    inputs: Object.fromEntries(values.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    madeUp: values.filter(({ isMadeUp }) => isMadeUp).map(({ name }) => name),
  };
}

function filledOf(fields: readonly Field[]): readonly Field[] {
  return fields.filter(({ name, required, importance }) => name !== 'reference_date' && (required || importance));
}

/** The day or moment that the clocks of a zone show now; undefined for what is neither. */
function now(type: Field['type'], timeZone: string): string | undefined {
  const at = new Date();
  if (type === 'date') return dayIn(timeZone, at.toISOString());
  if (type !== 'timestamp') return undefined;
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'medium' });
  return `${dayIn(timeZone, at.toISOString())}T${clock.format(at)}`;
}
