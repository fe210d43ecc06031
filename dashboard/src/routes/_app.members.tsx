import { createFileRoute } from '@tanstack/react-router';
import { Members } from '../members/members.tsx';

export const memberTabs = ['workspace', 'organization', 'roles'] as const;
export type MembersSearch = { readonly tab?: (typeof memberTabs)[number] };

export const Route = createFileRoute('/_app/members')({
  validateSearch: ({ tab }): MembersSearch =>
    memberTabs.some((one) => one === tab) ? { tab: tab as MembersSearch['tab'] } : {},
  component: Members,
});
