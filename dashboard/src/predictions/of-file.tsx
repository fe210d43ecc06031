import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { useWords } from '../words/words.ts';
import { predictionWords } from './words.ts';

/** Says that only what was answered from data with rows of a file is listed. */
export function OfFile({ id }: { readonly id: string }) {
  const w = useWords(predictionWords);
  const client = useClient();
  const { can } = useSession();
  const { data: file } = useData(['files', id], (signal) => client.files.get(id, { signal }), {
    isOn: can('view_files'),
  });
  return (
    <span className="inline-block max-w-80 truncate self-center rounded-[6px] border border-line px-2.5 py-1">
      {w.ofFile(file?.path ?? id)}
    </span>
  );
}
