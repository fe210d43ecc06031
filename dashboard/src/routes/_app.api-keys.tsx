import { createFileRoute } from '@tanstack/react-router';
import { ApiKeys } from '../api-keys/api-keys.tsx';

export type ApiKeysSearch = {
  /** The key that is open beside the list. */
  readonly open?: string;
};

export const Route = createFileRoute('/_app/api-keys')({
  validateSearch: ({ open }): ApiKeysSearch => (typeof open === 'string' ? { open } : {}),
  component: ApiKeys,
});
