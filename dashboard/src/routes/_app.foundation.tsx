import { createFileRoute } from '@tanstack/react-router';
import { Foundation } from '../foundation/foundation.tsx';

/** The relational version that is open beside the page. */
export type FoundationSearch = { readonly open?: string };

export const Route = createFileRoute('/_app/foundation')({
  validateSearch: ({ open }): FoundationSearch => (typeof open === 'string' ? { open } : {}),
  component: Foundation,
});
