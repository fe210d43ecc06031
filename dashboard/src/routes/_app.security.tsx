import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/security')({ component: Security });

function Security() {
  return <Page title="Security">{null}</Page>;
}
