import { Link } from '@tanstack/react-router';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { fileName } from './batch.ts';

/** A sentence about another batch, which leads to it by the name of its file. `say` has the name where it belongs. */
export function BatchLink({ id, say }: { readonly id: string; say(name: string): string }) {
  const client = useClient();
  const { data } = useData(['batches', 'one', id], (signal) => client.batches.get(id, {}, { signal }));
  const name = data ? fileName(data.files[0]?.path ?? id) : `…${id.slice(-6)}`;
  return (
    <Link
      to="/batches/$batch_id"
      params={{ batch_id: id }}
      search={{}}
      className="break-words text-accent underline underline-offset-2"
    >
      {say(name)}
    </Link>
  );
}
