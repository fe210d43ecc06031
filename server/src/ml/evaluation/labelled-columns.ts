import type { Objective } from '../statistics/objective.ts';
import type { Task } from '../tasks/task.ts';
import { dayInput, type Field } from '../version/schema.ts';

/** A column of a file of labelled rows, by which a version can be evaluated. */
export type LabelledColumn = Pick<Field, 'name' | 'type' | 'required' | 'format' | 'aliases'> & {
  /** `input`: what a new row that the tables do not have brings besides. */
  readonly role: 'key' | 'time' | 'label' | 'known' | 'input';
  /** The output that a label is of. */
  readonly output: string | null;
  /** A value as a file may write it; empty where none is known. */
  readonly sample: string;
};

export type LabelledVersion = {
  readonly task: Task;
  readonly fresh: boolean;
  /** Microseconds. */
  readonly newestLabel?: number;
  readonly inputFields: readonly Field[];
  readonly outputs: readonly { readonly name: string; readonly objective: Objective }[];
};

/**
 * The columns that `predictLabelled` reads, in the order in which people write them. `moment`: an example of one.
 * Labels that the task makes from the tables need no column; where a file has them all, they are read instead.
 */
export function labelledColumns(version: LabelledVersion, moment: string): LabelledColumn[] {
  const { task, fresh, inputFields, outputs } = version;
  const inputs = inputFields.filter(({ name }) => name !== dayInput);
  const key = inputs.find(({ name }) => name === task.key) ?? (fresh ? undefined : inputs[0]);
  const time = inputs.find(({ name }) => name === task.time);
  const names = labelNames(version, () => true);
  const alsoKey = [...(key && key.name !== task.key ? [key.name] : []), ...(key?.aliases ?? [])];
  const labels = new Map(names.map((name, o) => [name, outputs[o]]));
  return [
    {
      ...{ name: task.key, role: 'key', type: key?.type ?? 'string', required: !fresh, output: null },
      ...(key?.format !== undefined && { format: key.format }),
      ...(alsoKey.length > 0 && { aliases: alsoKey }),
      sample: textOf(key?.example),
    },
    {
      ...{ name: task.time, role: 'time', type: 'timestamp', required: !fresh, output: null, sample: moment },
      ...(time?.format !== undefined && { format: time.format }),
    },
    ...Array.from(
      labels,
      ([name, { name: output, objective }]): LabelledColumn => ({
        ...{ name, role: 'label', output, required: !task.target, ...typeOfLabel(objective) },
      }),
    ),
    ...(task.known === undefined
      ? []
      : [{ name: task.known, role: 'known' as const, type: 'timestamp' as const, ...knownColumn }]),
    ...(fresh ? inputs.filter((input) => input !== key && input.name !== task.time).map(asInput) : []),
  ];
}

/** The columns with labels that a file may have, by output. */
export function labelNames(
  { task, outputs }: { readonly task: Task; readonly outputs: readonly { readonly name: string }[] },
  has: (column: string) => boolean,
): readonly string[] {
  return outputs.map(({ name }) => {
    const head = task.heads?.find((one) => one.name === name);
    if (head && head.label !== '') return head.label;
    return task.target && (outputs.length > 1 || has(name)) ? name : task.label;
  });
}

const knownColumn = { required: false, output: null, sample: '' };

function typeOfLabel({ kind, classes }: Objective): Pick<LabelledColumn, 'type' | 'sample'> {
  if (kind === 'binary') return { type: 'boolean', sample: '1' };
  return kind === 'regression' ? { type: 'number', sample: '100' } : { type: 'string', sample: classes[0] ?? '' };
}

function asInput({ name, type, format, aliases, example }: Field): LabelledColumn {
  return {
    ...{ name, role: 'input', type, required: false, output: null, sample: textOf(example) },
    ...(format !== undefined && { format }),
    ...(aliases && { aliases }),
  };
}

function textOf(example: Field['example'] | undefined): string {
  return example === undefined || example === null || typeof example === 'object' ? '' : String(example);
}
