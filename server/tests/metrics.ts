/** What a process says of itself at its port for metrics; test support. */
export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** Every sample; a metric without one is told by its name, as NaN. */
export async function readMetrics(port: number): Promise<readonly Sample[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (answer.status !== 200) throw new Error(`metrics: ${answer.status} ${await answer.text()}`);
  const lines = (await answer.text()).split('\n');
  return lines.flatMap((line): Sample[] => {
    const [, declared, type] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? [];
    const endings = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    if (declared !== undefined) return endings.map((end) => ({ name: declared + end, labels: {}, value: Number.NaN }));
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** The one value of a metric with such labels. */
export async function readMetric(port: number, name: string, labels: Record<string, string> = {}): Promise<number> {
  const found = (await readMetrics(port)).filter(
    (sample) =>
      sample.name === name &&
      !Number.isNaN(sample.value) &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  if (found.length !== 1) throw new Error(`${name} ${JSON.stringify(labels)}: ${found.length} samples`);
  return found[0].value;
}
