// Decodes a Parquet file of floats with DuckDB, on one thread, touches every vector, and says what the process took.
//   decode.ts <file>
import { dirname } from 'node:path';
import { openDuckDb, quoteText } from '../../src/lib/duckdb/duckdb.ts';
import { sayCost } from '../cost.ts';
import { sheetColumns } from '../sheet-columns.ts';

const [file] = process.argv.slice(2);
const duckdb = await openDuckDb({ folders: [dirname(file)], threads: 1 });
const list = ['id::double', ...sheetColumns].join(', ');
let sum = 0;
for await (const batch of duckdb.stream(`select ${list} from read_parquet(${quoteText(file)})`)) {
  sum += batch.doubles(0).values[0];
  for (let c = 1; c <= sheetColumns.length; c++) sum += batch.floats(c).values[0];
}
duckdb.close();
if (sum === 0) throw new Error('nothing was read');
sayCost();
