import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/workspace')({ component: WorkspacePage });

function WorkspacePage() {
  return <Page title="WorkspacePage">{null}</Page>;
}
