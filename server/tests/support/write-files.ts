import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDuckDb, quoteText } from '../../src/lib/duckdb/duckdb.ts';

/** Functions that write a file into a folder and return its path. */
export function writersIn(folder: string) {
  return {
    write(name: string, content: string | Uint8Array): string {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    /** The rows that `select` gives, in row groups of `groupRows`. */
    async writeParquet(name: string, select: string, groupRows: number): Promise<string> {
      const path = join(folder, name);
      const duckdb = await openDuckDb({ folders: [folder] });
      await duckdb.run(`copy (${select}) to ${quoteText(path)} (format parquet, row_group_size ${groupRows})`);
      duckdb.close();
      return path;
    },
  };
}
