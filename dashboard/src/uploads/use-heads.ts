import { useState } from 'react';
import { type Head, headOfFile } from './head-of-file.ts';
import type { Upload } from './use-uploads.ts';

/** The first rows of the chosen files, by the key of each; what is missing is still being read. */
export function useHeads() {
  const [heads, setHeads] = useState<ReadonlyMap<string, Head | null>>(new Map());
  const read = async ({ key, file }: Upload): Promise<void> => {
    // What cannot be read here, the upload tells.
    const head = await headOfFile(file).catch(() => null);
    setHeads((before) => new Map(before).set(key, head));
  };
  return { heads, read: (uploads: readonly Upload[]) => uploads.forEach((upload) => void read(upload)) };
}
