import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/members')({ component: Members });

function Members() {
  return <Page title="Members">{null}</Page>;
}
