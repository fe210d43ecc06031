import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/playground')({ component: Playground });

function Playground() {
  return <Page title="Playground">{null}</Page>;
}
