import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/webhooks/')({ component: Webhooks });

function Webhooks() {
  return <Page title="Webhooks">{null}</Page>;
}
