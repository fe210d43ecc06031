import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/entities/$table/$key')({ component: EntityPage });

function EntityPage() {
  return <Page title="EntityPage">{null}</Page>;
}
