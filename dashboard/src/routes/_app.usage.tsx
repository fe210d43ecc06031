import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/usage')({ component: UsagePage });

function UsagePage() {
  return <Page title="UsagePage">{null}</Page>;
}
