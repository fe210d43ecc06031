import { readFileSync } from 'node:fs';
import { Failure } from '../../../lib/failure.ts';

/** The functions of kernel.wasm, documented in assembly/*.ts. Addresses and sizes are in bytes. */
type KernelFunctions = {
  binColumn(values: number, rows: number, cuts: number, bins: number): void;
  sortFloats(values: number, rows: number, scratch: number, counts: number): void;
  quantizeGradients(
    gradients: number,
    hessians: number,
    rows: number,
    gradientScale: number,
    hessianScale: number,
    countBits: number,
    cells: number,
  ): void;
  buildHistogram(
    packed: number,
    blockBytes: number,
    blocks: number,
    offsets: number,
    rowIds: number,
    rows: number,
    cells: number,
    gathered: number,
    isRoot: boolean,
    histogram: number,
    histogramBytes: number,
  ): void;
  subtractHistogram(parent: number, child: number, bytes: number): void;
  partitionRows(
    bins: number,
    lane: number,
    lastLeftBin: number,
    missingLeft: boolean,
    rowIds: number,
    rows: number,
    scratch: number,
  ): number;
  findSplit(
    histogram: number,
    offsets: number,
    bins: number,
    features: number,
    countBits: number,
    l2: number,
    childWeightMin: number,
    leafRowsMin: number,
    out: number,
  ): number;
  scoreGroups(
    values: number,
    stride: number,
    rows: number,
    columns: number,
    columnsEnd: number,
    grids: number,
    codes: number,
    program: number,
    bytes: number,
    masks: number,
    leaves: number,
    outputEnds: number,
    outputs: number,
    margins: number,
  ): void;
  scoreRow(
    values: number,
    features: number,
    starts: number,
    nodes: number,
    missing: number,
    masks: number,
    leaves: number,
    outputEnds: number,
    outputs: number,
    margins: number,
  ): void;
  addContributions(
    program: number,
    programEnd: number,
    values: number,
    phi: number,
    rows: number,
    outcomes: number,
    patterns: number,
    deep: number,
  ): void;
  rotateRows(rotation: number, axes: number, raws: number, rows: number, width: number, out: number): void;
};

/** An instance of the kernel with its own memory, which is freed with the last reference to it. */
export type Kernel = KernelFunctions & {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Reserves bytes, aligned to 64 and initially zero, which are never freed. Growing detaches earlier views. */
  readonly reserve: (bytes: number) => number;
};

// TypeScript has these types only together with those of a browser.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { readonly exports: unknown };
};
type WasmExports = KernelFunctions & { memory: { readonly buffer: ArrayBuffer; grow(pages: number): number } };

const pageBytes = 65_536;
const alignmentBytes = 64;
// The range of 32-bit addresses.
const memoryBytesMax = 4 * 1024 ** 3 - pageBytes;

let compiled: object | undefined;

/** Starts a kernel; the code is compiled once per process. */
export function openKernel(): Kernel {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('kernel.wasm', import.meta.url)));
  const exports = new WebAssembly.Instance(compiled).exports as WasmExports;
  const { memory } = exports;
  let top = 1024; // Address 0 stays unused: records read it as "none".
  const reserve = (bytes: number): number => {
    const at = top;
    const end = Math.ceil((at + bytes) / alignmentBytes) * alignmentBytes;
    if (end > memoryBytesMax) {
      throw new Failure(
        'limit_exceeded',
        `Too many rows, features or trees: ${end} bytes needed of ${memoryBytesMax}.`,
      );
    }
    const lacking = end - memory.buffer.byteLength;
    if (lacking > 0) memory.grow(Math.ceil(lacking / pageBytes));
    top = end;
    return at;
  };
  return { ...exports, memory, reserve };
}
