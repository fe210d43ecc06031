import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/organization')({ component: OrganizationPage });

function OrganizationPage() {
  return <Page title="OrganizationPage">{null}</Page>;
}
