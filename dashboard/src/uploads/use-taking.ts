import { useState } from 'react';
import { useClient } from '../api/session.tsx';
import { saveAs } from '../kit/save-file.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type RowsTaken, takeRows } from './take-rows.ts';
import { uploadWords } from './words.ts';

type Taken = RowsTaken & {
  readonly file: { readonly file_id: string; readonly path: string };
  /** What the file of these rows is called. */
  readonly name: string;
};

/** Takes rows out of an uploaded file and saves them. `said`: how far that is; null while nothing is taken. */
export function useTaking(): { readonly said: string | null; take(taken: Taken): Promise<void> } {
  const w = useWords(uploadWords);
  const format = useFormat();
  const client = useClient();
  const [share, setShare] = useState<number | null>(null);
  return {
    said: share === null ? null : w.taking(format.percent(share)),
    async take({ file, name, ...which }) {
      try {
        setShare(0);
        saveAs(name, await takeRows(client, file, which, setShare));
      } finally {
        setShare(null);
      }
    },
  };
}
