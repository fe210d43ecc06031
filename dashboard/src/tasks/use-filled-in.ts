import { useEffect, useState } from 'react';
import type { ContractTable } from '../data/contract.ts';
import { headOfFile } from '../uploads/head-of-file.ts';
import type { Upload } from '../uploads/use-uploads.ts';
import { useWords } from '../words/words.ts';
import { definitionOfFile } from './definition-of-file.ts';
import { taskWords } from './words.ts';

/**
 * The definition that the first label file makes, by its name, and whether its columns could be read. `onText` gets
 * each one with the one before it: what else stands in the box is somebody's own.
 */
export function useFilledIn(
  firstFile: Upload | undefined,
  tables: readonly ContractTable[],
  onText: (text: string, before: string) => void,
) {
  const w = useWords(taskWords);
  const [filled, setFilled] = useState({ text: '', file: '', isRead: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file that comes first
  useEffect(() => {
    if (!firstFile) return;
    let isLeft = false;
    const fillIn = async ({ file }: Upload) => {
      // What cannot be read here, the upload tells.
      const head = await headOfFile(file).catch(() => null);
      if (isLeft) return;
      const text = definitionOfFile(head, tables, w.lineHints);
      onText(text, filled.text);
      setFilled({ text, file: file.name, isRead: head !== null && head.columns.length > 0 });
    };
    void fillIn(firstFile);
    return () => {
      isLeft = true;
    };
  }, [firstFile?.key]);
  return filled;
}
