import { capDuckDbMemory } from './lib/duckdb/duckdb.ts';
import { serveTasks } from './lib/processes/serve.ts';
import { readResultRows } from './resources/batches/reading.ts';
import { readRows, readRowsByTime } from './resources/tables/reading.ts';

/** The tasks that read a few of the stored rows for somebody who waits, in child processes of their own. */
export const handlers = { readRows, readRowsByTime, readResultRows };

/** Memory that DuckDB may take to read pages of rows, of which it holds a row group at a time. */
const duckDbMemoryMb = 512;
capDuckDbMemory(duckDbMemoryMb);

serveTasks(handlers);
