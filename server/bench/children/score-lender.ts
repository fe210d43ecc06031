// Scores a file about a made-up lender, and says what that took.
// score-lender.ts <version> <folder> <file> <out>
import { predictFile } from '../../src/commands/predict.ts';
import { costOfProcess } from '../cost.ts';

const [version, folder, from, to] = process.argv.slice(2);
const silent = { say: () => {}, phase: () => {} };
const start = performance.now();
const wishes = { asOf: null, factors: 4, language: 'en' } as const;
const { rows } = await predictFile(version, folder, from, to, { ...wishes, now: Date.now() }, silent);
console.log(JSON.stringify({ elapsed: (performance.now() - start) / 1000, ...costOfProcess(), rows }));
