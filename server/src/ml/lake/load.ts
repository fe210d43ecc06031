import type { Contract } from '../contract/contract.ts';
import { type LoadReport, readTables } from '../graph/load.ts';
import type { Tables } from '../graph/tables.ts';
import { knownAtColumn } from '../graph/tables.ts';
import { contractOf, type Manifest, type Part } from './manifest.ts';

/**
 * Reads the tables of a snapshot, as `loadTables` reads a folder of the same rows. `contract` is the one they were read
 * under: the snapshot's, with the column that dates changed rows. A table without parts has no rows.
 * Throws Failure 'invalid' or 'not_found' when a part cannot be read, or the event time of a table is no date.
 */
export async function loadSnapshot(
  manifest: Manifest,
  pathOf: (part: Part) => string | Promise<string>,
  progress: (line: string) => void = () => {},
): Promise<{ tables: Tables; contract: Contract; report: LoadReport }> {
  const contract = contractOf(manifest);
  const files = new Map<string, string[]>();
  for (const { name, parts } of manifest.tables)
    files.set(name, await Promise.all(parts.map(async (part) => pathOf(part))));
  const { tables, report } = await readTables(contract, (name) => files.get(name) ?? [], {
    progress,
    now: Number.POSITIVE_INFINITY,
    isTolerant: true,
  });
  // Parts without changed rows lack the column that dates them, as they should.
  const warnings = report.warnings.filter((warning) => !warning.includes(`"${knownAtColumn}" is absent`));
  return { tables, contract, report: { ...report, warnings } };
}
