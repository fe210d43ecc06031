import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/api-keys')({ component: ApiKeys });

function ApiKeys() {
  return <Page title="ApiKeys">{null}</Page>;
}
