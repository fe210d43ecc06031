import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/inbox')({ component: InboxPage });

function InboxPage() {
  return <Page title="InboxPage">{null}</Page>;
}
