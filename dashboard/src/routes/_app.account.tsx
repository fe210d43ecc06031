import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/account')({ component: Account });

function Account() {
  return <Page title="Account">{null}</Page>;
}
