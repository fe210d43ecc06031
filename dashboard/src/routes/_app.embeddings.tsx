import { createFileRoute } from '@tanstack/react-router';
import { Embeddings } from '../embeddings/embeddings.tsx';
import { readEmbeddingsSearch } from '../embeddings/search.ts';

export const Route = createFileRoute('/_app/embeddings')({
  validateSearch: readEmbeddingsSearch,
  component: Embeddings,
});
