// The parts in which a file is scored over tables that are larger than memory should be.
import { documentSpellings, isCnpj, isCpf } from '../lib/brazil-documents.ts';
import type { Rows } from '../lib/files/column.ts';
import { type ColumnRequest, readChunks } from '../lib/files/read.ts';
import { tablesFolder } from '../ml/contract/files.ts';
import { withLabels } from '../ml/features/anchors.ts';
import { openCompleteness } from '../ml/features/complete.ts';
import { filesOfTable } from '../ml/graph/files.ts';
import { keyValue } from '../ml/graph/keys.ts';
import { openSampler, planSample, type Sampler } from '../ml/graph/sample.ts';
import type { KeyValue } from '../ml/graph/tables.ts';
import type { OpenVersion } from '../ml/inference/predict.ts';
import { kindNamed } from '../ml/kinds/kinds.ts';
import { inputRequests } from '../ml/version/input-requests.ts';
import { type FileColumns, nameInFile } from '../ml/version/other-names.ts';
import type { Version } from '../ml/version/version.ts';

/** What must be read of tables for one part of the rows after the other. */
export type Parts = {
  /** The part that the file begins with. */
  first(): Sampler;
  /** The part that has all that these rows are about; null where that which was given last has. */
  nextFor(rows: Rows): Sampler | null;
};

/**
 * The parts in which the rows of a file are scored by a version, where the tables in `data` are large and each row is
 * about one of the rows by which they are sampled. Null where they are read whole.
 */
export async function planParts(
  version: Version,
  data: string,
  from: string,
  file: FileColumns,
  cellsMax: number,
): Promise<Parts | null> {
  const { task, contract } = version;
  if (kindNamed(task.kind).readsNetwork) return null;
  const source = tablesFolder(data);
  const plan = await planSample(contract, task.entity, (table) => filesOfTable(source, table), cellsMax);
  if (typeof plan === 'string') return null;
  const { root } = plan.partition;
  const entity = contract.tables.find(({ name }) => name === task.entity)!;
  const column = root === task.entity ? entity.key[0] : entity.references.find(({ table }) => table === root)?.column;
  const input = inputRequests(version).find(({ name }) => name === column);
  const name = input && nameInFile(input, file);
  if (!input || name === undefined || name === null) return null;
  const { aliases: _, column: __, ...asked } = input;
  const request: ColumnRequest = { ...asked, name, required: false };
  // Rows stand in the file as they come: a part has the keys that come next.
  const places = new Map<KeyValue, number>();
  for await (const { rows } of readChunks(from, [request]))
    for (const key of keysIn(rows, name)) if (!places.has(key)) places.set(key, places.size);
  const keys = [...places.keys()];
  const most = Math.floor(plan.share * plan.rootRows);
  let held: ReadonlySet<KeyValue> = new Set();
  const partFrom = (place: number, besides: readonly KeyValue[]): Sampler => {
    const part = new Set([...besides, ...keys.slice(place, place + most)].flatMap(spellingsOf));
    held = part;
    return openSampler(contract, plan.partition, (key) => part.has(key));
  };
  return {
    first: () => partFrom(0, []),
    nextFor(rows) {
      const asked = keysIn(rows, name);
      const missing = asked.filter((key) => !held.has(key)).map((key) => places.get(key)!);
      if (missing.length === 0) return null;
      return partFrom(
        missing.reduce((first, place) => Math.min(first, place)),
        asked,
      );
    },
  };
}

/** Whether a version that is open over a part reads nothing that the part has only some of. */
export function isWholeInPart({ version, tables, labels }: OpenVersion, sampler: Sampler): boolean {
  const { task, fresh, outputs, features } = version;
  const graph = withLabels(task, tables, labels, fresh, outputs[0].objective, true);
  return features.every(openCompleteness(graph, task.entity, sampler.sampled()));
}

function keysIn({ rows, columns }: Rows, name: string): KeyValue[] {
  const column = columns.get(name)!;
  return Array.from({ length: rows }, (_, row) => keyValue(column, row)).filter((key) => key !== null);
}

/** A CPF or CNPJ is looked for with and without its punctuation. */
function spellingsOf(key: KeyValue): KeyValue[] {
  return typeof key === 'string' && (isCpf(key) || isCnpj(key)) ? [key, ...documentSpellings(key)] : [key];
}
