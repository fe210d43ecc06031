import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/models/')({ component: Models });

function Models() {
  return <Page title="Models">{null}</Page>;
}
