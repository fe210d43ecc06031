// Scores a file with a version, as the command does, and says what the process took.
//   score.ts <version> <data> <in> <out> <factors>
import { predictFile } from '../../src/commands/predict.ts';
import { sayCost } from '../cost.ts';

const [version, data, from, to, factors] = process.argv.slice(2);
const asOf = Date.parse('2026-01-01T00:00:00Z') * 1000;
await predictFile(
  version,
  data,
  from,
  to,
  { now: Date.now(), asOf, factors: Number(factors), language: 'en' },
  { phase() {}, say() {} },
);
sayCost();
