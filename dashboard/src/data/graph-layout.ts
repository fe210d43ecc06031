import type { ContractTable } from './contract.ts';

export type GraphEdge = { readonly from: string; readonly to: string; readonly columns: readonly string[] };
export type GraphNode = { readonly name: string; readonly x: number; readonly y: number };
export type Graph = {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly width: number;
  readonly height: number;
};

export const nodeWidth = 156;
export const nodeHeight = 34;
const columnGap = 84;
const rowGap = 16;
const margin = 12;
/** Sweeps by which tables are put beside what they refer to. */
const sweeps = 8;

/**
 * Places tables in columns: what refers to nothing stands left, every other table right of all that it refers to. In
 * each column tables stand at the mean height of their neighbours. The same tables are always placed alike.
 */
export function layOut(tables: readonly ContractTable[]): Graph {
  const edges = edgesOf(tables);
  const depths = depthsOf(tables, edges);
  const layers: string[][] = [];
  for (const { name } of tables) (layers[depths.get(name)!] ??= []).push(name);
  order(layers, edges);
  const tallest = Math.max(...layers.map(({ length }) => length));
  const height = tallest * (nodeHeight + rowGap) - rowGap + 2 * margin;
  const nodes = layers.flatMap((names, column) => {
    const used = names.length * (nodeHeight + rowGap) - rowGap;
    return names.map((name, row) => ({
      name,
      x: margin + column * (nodeWidth + columnGap),
      y: (height - used) / 2 + row * (nodeHeight + rowGap),
    }));
  });
  return { nodes, edges, height, width: layers.length * (nodeWidth + columnGap) - columnGap + 2 * margin };
}

function edgesOf(tables: readonly ContractTable[]): readonly GraphEdge[] {
  const names = new Set(tables.map(({ name }) => name));
  return tables.flatMap(({ name, columns }) => {
    const targets = new Map<string, string[]>();
    for (const column of columns)
      for (const { table } of column.references)
        if (names.has(table) && table !== name) targets.set(table, [...(targets.get(table) ?? []), column.name]);
    return Array.from(targets, ([to, by]) => ({ from: name, to, columns: by }));
  });
}

/** The longest way to a table that refers to nothing; where tables refer in a circle, its last step does not count. */
function depthsOf(tables: readonly ContractTable[], edges: readonly GraphEdge[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  const open = new Set<string>();
  const depthOf = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    open.add(name);
    const targets = edges.filter(({ from, to }) => from === name && !open.has(to));
    const depth = Math.max(0, ...targets.map(({ to }) => depthOf(to) + 1));
    open.delete(name);
    depths.set(name, depth);
    return depth;
  };
  for (const { name } of tables) depthOf(name);
  return depths;
}

function order(layers: string[][], edges: readonly GraphEdge[]): void {
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const heights = new Map(
      layers.flatMap((names) => names.map((name, row): [string, number] => [name, row - (names.length - 1) / 2])),
    );
    for (const names of layers) {
      const wanted = new Map(names.map((name) => [name, meanOfNeighbours(name, edges, heights)]));
      names.sort((one, other) => wanted.get(one)! - wanted.get(other)!);
    }
  }
}

function meanOfNeighbours(name: string, edges: readonly GraphEdge[], heights: ReadonlyMap<string, number>): number {
  const near = edges.flatMap(({ from, to }) =>
    from === name ? heights.get(to)! : to === name ? heights.get(from)! : [],
  );
  return near.length === 0 ? heights.get(name)! : near.reduce((sum, one) => sum + one, 0) / near.length;
}
