// Learns a task of a made-up lender, and says what that took and how well later rows are told.
// learn-lender.ts <folder> <task> <version>
import { fitFolder } from '../../src/commands/fit.ts';
import { costOfProcess } from '../cost.ts';

const [folder, task, version] = process.argv.slice(2);
const silent = { say: () => {}, phase: () => {} };
const start = performance.now();
const report = await fitFolder(folder, task, version, silent);
const [{ out_of_fold: measures }] = report.outputs;
const { value = Number.NaN, standard_error: error = Number.NaN } = measures ?? {};
console.log(JSON.stringify({ elapsed: (performance.now() - start) / 1000, ...costOfProcess(), value, error }));
