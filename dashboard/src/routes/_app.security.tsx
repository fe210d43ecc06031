import { createFileRoute } from '@tanstack/react-router';
import { Security } from '../security/security.tsx';

export const securityTabs = ['sso', 'addresses', 'policy'] as const;
export type SecuritySearch = { readonly tab?: (typeof securityTabs)[number] };

export const Route = createFileRoute('/_app/security')({
  validateSearch: ({ tab }): SecuritySearch =>
    securityTabs.some((one) => one === tab) ? { tab: tab as SecuritySearch['tab'] } : {},
  component: Security,
});
