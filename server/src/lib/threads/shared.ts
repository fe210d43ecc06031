// Arrays that several threads read and write.

type Numbers = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

/** The same array in memory that threads share: itself where it lies there already, else a copy. */
export function toShared<A extends Numbers>(array: A): A {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  // The cast holds: the constructor is that of A.
  const make = array.constructor as new (buffer: SharedArrayBuffer) => A;
  const shared = new make(new SharedArrayBuffer(array.byteLength));
  shared.set(array);
  return shared;
}
