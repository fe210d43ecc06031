import { assert, Failure } from '../../lib/failure.ts';
import { readSections, writeSections } from '../../lib/files/sections.ts';
import { openSession, type SessionOptions, type Tensor } from '../../lib/onnx/session.ts';
import { gradients } from './gradients.ts';
import type { Parameter } from './layers.ts';
import { modelOf } from './model.ts';
import { type OptimiserOptions, openOptimiser, takeStep } from './optimiser.ts';
import { inOrder, type Value } from './value.ts';

/** Minimises a loss over its parameters, one batch at a time. */
export type Trainer = {
  /** Number of steps so far, including those of resumed sessions. */
  readonly steps: () => number;
  /**
   * Takes one step at a learning rate. `batch` feeds the inputs of the loss. Returns the loss before the step and the
   * watched values.
   */
  step(
    batch: Readonly<Record<string, Tensor>>,
    rate: number,
  ): Promise<{ loss: number; watched: Record<string, number> }>;
  /**
   * Writes parameters and optimiser state, so that `resume` continues as if training had not stopped. Returns the
   * file's SHA-256.
   */
  save(path: string): Promise<string>;
  /** Reads what `save` wrote. Throws Failure 'invalid' when it is damaged or has other parameters. */
  resume(path: string): Promise<void>;
  close(): Promise<void>;
};

const checkpointKind = 'checkpoint';

/**
 * Compiles the loss and its gradients into one graph and opens it. The loss must depend on every parameter. `watched`:
 * further values (1 × 1) to return for each batch. `running`: as in `openSession`.
 */
export async function openTrainer(
  loss: Value,
  parameters: readonly Parameter[],
  options: OptimiserOptions,
  watched: Readonly<Record<string, Value>> = {},
  running: SessionOptions = {},
): Promise<Trainer> {
  const values = inputsOf(loss);
  const derivatives = gradients(
    loss,
    parameters.map(({ name }) => {
      const value = values.get(name);
      assert(value !== undefined, `${name} is in the loss`);
      return value;
    }),
  );
  const gradientName = (name: string) => `gradient of ${name}`;
  const watchedName = (name: string) => `watched ${name}`;
  const session = await openSession(
    modelOf({
      loss,
      ...Object.fromEntries(Object.entries(watched).map(([name, value]) => [watchedName(name), value])),
      ...Object.fromEntries(parameters.map(({ name }, p) => [gradientName(name), derivatives[p]])),
    }),
    running,
  );
  const weights = Object.fromEntries(
    parameters.map(({ name, rows, columns, values }) => [name, { dims: [rows, columns], values }]),
  );
  const optimiser = openOptimiser(parameters);
  const shapes = parameters.map(({ name, rows, columns }) => [name, rows, columns]);
  const arrays = () => [...parameters.map((parameter) => parameter.values), ...optimiser.first, ...optimiser.second];
  return {
    steps: () => optimiser.steps,
    async step(batch, rate) {
      const results = await session.run({ ...batch, ...weights });
      takeStep(
        optimiser,
        parameters,
        parameters.map(({ name }) => results[gradientName(name)].values),
        rate,
        options,
      );
      return {
        loss: results.loss!.values[0],
        watched: Object.fromEntries(Object.keys(watched).map((name) => [name, results[watchedName(name)].values[0]])),
      };
    },
    async save(path) {
      const { sha256 } = await writeSections(path, checkpointKind, { steps: optimiser.steps, shapes }, arrays());
      return sha256;
    },
    async resume(path) {
      const { body, sections } = await readSections(path, checkpointKind);
      const found = body as { steps: number; shapes: unknown };
      if (JSON.stringify(found.shapes) !== JSON.stringify(shapes))
        throw new Failure('invalid', `${path} is a checkpoint of another network`);
      optimiser.steps = found.steps;
      for (const [a, array] of arrays().entries()) array.set(sections[a] as Float32Array);
    },
    close: () => session.close(),
  };
}

function inputsOf(value: Value): Map<string, Value> {
  return new Map(
    inOrder([value]).flatMap((part) => (part.operation.kind === 'input' ? [[part.operation.name, part] as const] : [])),
  );
}
