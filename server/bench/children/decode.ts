// Decodes a Parquet file of numbers with DuckDB, touches every vector, and says what the process took.
//   decode.ts <file>
import { dirname } from 'node:path';
import { openDuckDb, quoteText } from '../../src/lib/duckdb/duckdb.ts';
import { sayCost } from '../processes.ts';
import { sheetColumns } from '../sheets.ts';

const [file] = process.argv.slice(2);
const duckdb = await openDuckDb({ folders: [dirname(file)] });
const list = ['id', ...sheetColumns].map((name) => `${name}::double`).join(', ');
let sum = 0;
for await (const batch of duckdb.stream(`select ${list} from read_parquet(${quoteText(file)})`)) {
  for (let c = 0; c <= sheetColumns.length; c++) sum += batch.doubles(c).values[0];
}
duckdb.close();
if (sum === 0) throw new Error('nothing was read');
sayCost();
