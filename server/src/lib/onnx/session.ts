// The only door to onnxruntime. Its run blocks the thread it is called on and a native fault ends the process, so it is
// loaded only where that may happen: in commands and child processes, never beside an HTTP server.
import type { InferenceSession } from 'onnxruntime-node';
import { assert } from '../failure.ts';

/** An array of float32 in row order. */
export type Tensor = { readonly dims: readonly number[]; readonly values: Float32Array };

export type SessionOptions = {
  /** Threads of one operator. With more than one, other work on the machine waits for threads that spin. */
  readonly threads?: number;
};

export type Session = {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /**
   * Runs the model on its inputs; what it does not ask for is left aside. Throws when an input is missing or of another
   * shape.
   */
  run(given: Readonly<Record<string, Tensor>>): Promise<Record<string, Tensor>>;
  /** Frees the native memory; nothing may be run afterwards. */
  close(): Promise<void>;
};

/**
 * Opens an ONNX model of float32 tensors. One thread and operators in turn unless told otherwise, so that the same
 * inputs give the same bytes on one kind of processor. Throws what onnxruntime throws for bytes that are no model it
 * can run.
 */
export async function openSession(model: Uint8Array, { threads = 1 }: SessionOptions = {}): Promise<Session> {
  // Its 46 MB library is loaded by the first who opens a model.
  const api = await import('onnxruntime-node');
  api.env.logLevel = 'error';
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
  };
  const session = await api.InferenceSession.create(model, options);
  return {
    inputs: session.inputNames,
    outputs: session.outputNames,
    async run(given) {
      const feeds = Object.fromEntries(
        session.inputNames.map((name) => {
          const tensor = given[name];
          assert(tensor !== undefined, `the model is given ${name}`);
          return [name, new api.Tensor('float32', tensor.values, tensor.dims)];
        }),
      );
      const results = await session.run(feeds);
      return Object.fromEntries(
        session.outputNames.map((name) => {
          const { data, dims } = results[name];
          assert(data instanceof Float32Array, `${name} is float32`);
          return [name, { dims, values: data }];
        }),
      );
    },
    close: () => session.release(),
  };
}
