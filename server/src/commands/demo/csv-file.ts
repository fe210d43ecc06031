import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a CSV file. Fields are not quoted, because the demo's fields contain no comma, quote or line break. */
export class CsvFile {
  readonly #handle: FileHandle;
  readonly #width: number;
  #text: string;
  rows = 0;

  private constructor(handle: FileHandle, header: readonly string[]) {
    this.#handle = handle;
    this.#width = header.length;
    this.#text = `${header.join(',')}\n`;
  }

  static async open(path: string, header: readonly string[]): Promise<CsvFile> {
    await mkdir(dirname(path), { recursive: true });
    return new CsvFile(await open(path, 'w'), header);
  }

  write(fields: readonly string[]): void {
    if (fields.length !== this.#width)
      throw new Error(`a row of ${fields.length} fields under a header of ${this.#width}`);
    this.#text += `${fields.join(',')}\n`;
    this.rows++;
  }

  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await this.#handle.writeFile(text);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
