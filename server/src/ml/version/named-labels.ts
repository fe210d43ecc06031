import { textColumn } from '../../lib/files/column.ts';
import { readSections, type Section, writeSections } from '../../lib/files/sections.ts';
import { packTexts } from '../../lib/files/texts.ts';
import type { Contract } from '../contract/contract.ts';
import { columnRequests } from '../graph/load.ts';
import { type LabelsBody, labelsKind } from './version.ts';

/**
 * Copies a version's labels with entities identified by name. `nameOf` returns the name behind a number of the
 * dictionary, or null where it was erased; its labels are dropped. Labels that hold names already are copied as they
 * are.
 */
export async function nameLabels(
  from: string,
  to: string,
  contract: Contract,
  entity: string,
  nameOf: (number: number) => string | null,
): Promise<void> {
  const { body, sections } = await readSections(from, labelsKind);
  if (!(body as LabelsBody).isNumbered) {
    await writeSections(to, labelsKind, body, sections);
    return;
  }
  const [numbers, ...rest] = sections as Float64Array[];
  const names = Array.from(numbers!, nameOf);
  const kept = Array.from(names.keys()).filter((i) => names[i] !== null);
  const pick = (values: Float64Array) => Float64Array.from(kept, (i) => values[i]);
  const others: Section[] = rest.map(pick);
  const table = contract.tables.find(({ name }) => name === entity)!;
  const key = columnRequests(contract, table).find(({ name }) => name === table.key[0])!;
  if (key.type !== 'string') {
    const isTime = key.type === 'date' || key.type === 'timestamp' || key.type === 'time';
    const named: LabelsBody = { key: isTime ? 'time' : 'number', isNumbered: false };
    const keys = Float64Array.from(kept, (i) => Number(names[i]));
    await writeSections(to, labelsKind, named, [keys, ...others]);
    return;
  }
  const { codes, dictionary } = textColumn(kept.map((i) => names[i]));
  const { bytes, ends } = packTexts(dictionary);
  const named: LabelsBody = { key: 'text', isNumbered: false };
  await writeSections(to, labelsKind, named, [codes, ...others, bytes, ends]);
}
