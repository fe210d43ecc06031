// The only module that uses onnxruntime. A run blocks its thread, and a native fault ends the process. So it is loaded
// only in commands and child processes, never in a process with an HTTP server.
import type { InferenceSession } from 'onnxruntime-node';
import { assert } from '../failure.ts';

/** A float32 array in row-major order. */
export type Tensor = { readonly dims: readonly number[]; readonly values: Float32Array };

export type SessionOptions = {
  /** Threads per operator. With more than one, waiting threads spin and take the CPU from other work on the machine. */
  readonly threads?: number;
};

export type Session = {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /**
   * Runs the model. Given tensors that are no inputs of the model are ignored. Throws when an input is missing or has
   * another shape.
   */
  run(given: Readonly<Record<string, Tensor>>): Promise<Record<string, Tensor>>;
  /** Frees the native memory; `run` must not be called afterwards. */
  close(): Promise<void>;
};

/**
 * Opens an ONNX model of float32 tensors. By default one thread runs the operators in turn, so that the same inputs
 * give the same bytes on one kind of processor. Throws what onnxruntime throws for bytes that are no model it can run.
 */
export async function openSession(model: Uint8Array, { threads = 1 }: SessionOptions = {}): Promise<Session> {
  // The 46 MB library is loaded when the first model opens.
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
