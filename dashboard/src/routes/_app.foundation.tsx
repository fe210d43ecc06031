import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/foundation')({ component: Foundation });

function Foundation() {
  return <Page title="Foundation">{null}</Page>;
}
