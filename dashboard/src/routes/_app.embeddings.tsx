import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/embeddings')({ component: EmbeddingsPage });

function EmbeddingsPage() {
  return <Page title="EmbeddingsPage">{null}</Page>;
}
