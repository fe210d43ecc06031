import type { Contract } from '../contract/contract.ts';
import type { Tables } from '../graph/tables.ts';
import { countKnown, type Linked, linkOf } from './link.ts';
import { type LinkedGraphModel, openGraphModel } from './reading.ts';

/** Of the `rows` linked to the graph, `known_rows` have an identifier that the graph model knows. */
export type GraphFound = { readonly linked_by: string | null; readonly rows: number; readonly known_rows: number };

/** How a run used the graph model. */
export type GraphUse = GraphFound & { readonly is_read: boolean };

/**
 * Opens a graph model and links rows to it. `given` is null where the rows have no link, or the model knows none of
 * them; `warning` then says why.
 */
export async function linkGraph(
  folder: string,
  of: Linked,
  contract: Contract,
  isNew: boolean,
  tables: Tables,
): Promise<{
  readonly given: LinkedGraphModel | null;
  readonly found: GraphFound;
  readonly warning: string | null;
}> {
  const link = linkOf(of, contract, isNew);
  if (link === null) {
    const warning = `new rows of ${of.entity} lead to the graph by what they refer to: mark the identifiers of that graphKey in the contract`;
    return { given: null, found: { linked_by: null, rows: 0, known_rows: 0 }, warning };
  }
  const model = await openGraphModel(folder);
  const { rows } = tables.get(link.table)!;
  const known = countKnown(tables, model.gfm, link);
  const found = { linked_by: `${link.table}.${link.column}`, rows, known_rows: known };
  const warning = `${model.gfm.modelSnapshot} knows none of the ${rows} rows of ${link.table} by their ${link.column}: it is not read`;
  return known === 0 ? { given: null, found, warning } : { given: { model, link }, found, warning: null };
}
