import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Select } from '../kit/field.tsx';
import { Refusal, Skeleton } from '../kit/states.tsx';
import { type Head, headOfStream } from '../uploads/head-of-file.ts';
import { useWords } from '../words/words.ts';
import { evaluationWords } from './words.ts';

/** A choice among the files that were uploaded before. */
export function UploadedFiles({ value, onValue }: { readonly value: string; onValue(id: string): void }) {
  const w = useWords(evaluationWords);
  const client = useClient();
  const { data, error } = useData(['files', 'uploaded'], (signal) => client.files.list({ limit: 200 }, { signal }));
  if (error) return <Refusal error={error} />;
  if (!data) return <Skeleton rows={1} />;
  const files = data.data.filter(({ status }) => status === 'uploaded');
  if (files.length === 0) return <p className="text-ink2">{w.noFiles}</p>;
  return (
    <Select
      aria-label={w.chooseFile}
      value={value}
      options={[
        { value: '', label: w.chooseFile },
        ...files.map(({ id, path }) => ({ value: id, label: `${path} · …${id.slice(-6)}` })),
      ]}
      onValue={onValue}
    />
  );
}

/** The first rows of a file that was uploaded before; null where they cannot be read here. */
export function useStoredHead(id: string): Head | null | undefined {
  const client = useClient();
  const { can } = useSession();
  const { data } = useData(
    ['files', 'head', id],
    async (signal) => {
      const { path } = await client.files.get(id, { signal });
      const { body } = await client.files.download(id, { signal });
      return headOfStream(path, body as ReadableStream<Uint8Array<ArrayBuffer>>);
    },
    { isOn: id !== '' && can('download_files') },
  );
  return data;
}
