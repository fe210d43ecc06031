import { Link } from '@tanstack/react-router';
import { useWords } from '../words/words.ts';
import { ingestionWords } from './ingestion-words.ts';

export function IngestionLink({ id }: { readonly id: string }) {
  const w = useWords(ingestionWords);
  return (
    <Link
      to="/data/ingestions/$ingestion_id"
      params={{ ingestion_id: id }}
      className="text-accent underline underline-offset-2"
    >
      {w.ingestion} …{id.slice(-6)}
    </Link>
  );
}
