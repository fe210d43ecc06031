// The kernel, of trees but for `rotateRows`. Every function works on memory its caller lays out; nothing is allocated here.
export { binColumn } from './binning';
export { addContributions } from './contributions';
export { buildHistogram, partitionRows, quantizeGradients, subtractHistogram } from './histogram';
export { rotateRows } from './rotation';
export { scoreGroups, scoreRow } from './scoring';
export { sortFloats } from './sort';
export { findSplit } from './split';
