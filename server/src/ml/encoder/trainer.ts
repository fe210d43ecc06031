import { assert, Failure } from '../../lib/failure.ts';
import { readSections, writeSections } from '../../lib/files/sections.ts';
import { openSession, type SessionOptions, type Tensor } from '../../lib/onnx/session.ts';
import { gradients } from './gradients.ts';
import type { Parameter } from './layers.ts';
import { modelOf } from './model.ts';
import { type OptimiserOptions, openOptimiser, takeStep } from './optimiser.ts';
import { inOrder, type Value } from './value.ts';

/** Moves parameters to make a loss smaller, one batch at a time. */
export type Trainer = {
  /** Steps taken so far, over all sessions that were resumed. */
  readonly steps: () => number;
  /**
   * Takes one step at a learning rate; `batch` feeds the inputs of the loss. Returns the loss before it and what was
   * watched.
   */
  step(
    batch: Readonly<Record<string, Tensor>>,
    rate: number,
  ): Promise<{ loss: number; watched: Record<string, number> }>;
  /**
   * Writes parameters and optimiser, so that `resume` goes on as if nothing had stopped. Returns the file's SHA-256.
   */
  save(path: string): Promise<string>;
  /** Reads what `save` wrote. Throws Failure 'invalid' when it is damaged or of other parameters. */
  resume(path: string): Promise<void>;
  close(): Promise<void>;
};

const checkpointKind = 'checkpoint';

/**
 * Compiles forward pass and gradients of a loss into one graph and opens it. Every parameter must be in the loss.
 * `watched` are further numbers (1 × 1) to be told of each batch; `running`: as of `openSession`.
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
