// Circles of imports; test support.

/** One line per knot of files that import each other (Tarjan 1972), naming its files. */
export function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const found: string[] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    path.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (path.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const knot = path.splice(path.indexOf(file));
    if (knot.length > 1 || graph.get(file)?.includes(file)) found.push(`${knot.sort().join(', ')}: import each other`);
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

/**
 * One line per circle within a folder: among its files and its folders, each folder taken as one with all that lies in
 * it. Types count. Rooms and the floors of ml have an order of their own, which leaves no circle.
 */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const within = new Map<string, Map<string, Set<string>>>();
  for (const [file, targets] of graph)
    for (const target of targets) {
      const [own, other] = [file.split('/'), target.split('/')];
      let depth = 0;
      while (own[depth] === other[depth] && depth < own.length - 1) depth++;
      const folder = own.slice(0, depth).join('/');
      if (folder === '' || folder === 'ml') continue;
      const children = within.get(folder) ?? new Map<string, Set<string>>();
      within.set(folder, children);
      const place = (path: readonly string[]) => path.slice(0, depth + 1).join('/');
      const met = children.get(place(own)) ?? new Set();
      children.set(place(own), met.add(place(other)));
    }
  return [...within.values()]
    .flatMap((children) => cyclesIn(new Map([...children].map(([own, met]) => [own, [...met]]))))
    .filter(
      (line) =>
        !line
          .split(': ')[0]
          .split(', ')
          .every((path) => path.endsWith('.ts')),
    )
    .map((line) => line.replace(/: import each other$/, ': a circle of folders'));
}
