import type { Permission } from '../api/session.tsx';

/** A page of the menu, with what its routes of the API ask for. */
export type PageEntry = {
  readonly name: string;
  readonly to: string;
  /** Shown to those who have one of them; to everybody where there is none. */
  readonly anyOf: readonly Permission[];
  /** Whether the permission must hold in the whole organization. */
  readonly isOfOrganization?: boolean;
  /** The second key of its chord: `G` and then this. */
  readonly chord?: string;
};

/** Every page of the menu, in its group and order. */
export const pageGroups = [
  {
    name: 'predict',
    pages: [
      { name: 'overview', to: '/', anyOf: [], chord: 'o' },
      { name: 'playground', to: '/playground', anyOf: ['invoke_predictions'], chord: 'y' },
      { name: 'predictions', to: '/predictions', anyOf: ['invoke_predictions'], chord: 'p' },
      { name: 'batches', to: '/batches', anyOf: ['view_batches'], chord: 'b' },
      { name: 'sftp', to: '/sftp', anyOf: ['view_batches'] },
    ],
  },
  {
    name: 'learn',
    pages: [
      { name: 'data', to: '/data', anyOf: ['view_models'], chord: 'd' },
      { name: 'tasks', to: '/tasks', anyOf: ['view_models'], chord: 't' },
      { name: 'runs', to: '/training-runs', anyOf: ['view_models'], chord: 'r' },
      { name: 'models', to: '/models', anyOf: ['view_models'], chord: 'm' },
      { name: 'evaluations', to: '/evaluations', anyOf: ['view_models'] },
      { name: 'foundation', to: '/foundation', anyOf: ['view_models'] },
    ],
  },
  {
    name: 'explore',
    pages: [
      { name: 'entities', to: '/entities', anyOf: ['invoke_predictions'], chord: 'e' },
      { name: 'embeddings', to: '/embeddings', anyOf: ['invoke_predictions'] },
    ],
  },
  {
    name: 'operate',
    pages: [
      { name: 'inbox', to: '/inbox', anyOf: ['view_members'], chord: 'i' },
      { name: 'webhooks', to: '/webhooks', anyOf: ['manage_webhooks'], chord: 'w' },
      { name: 'keys', to: '/api-keys', anyOf: ['manage_api_keys'], chord: 'k' },
      { name: 'usage', to: '/usage', anyOf: ['view_usage', 'view_usage_logs'], chord: 'u' },
      { name: 'invoices', to: '/invoices', anyOf: ['view_invoices'], isOfOrganization: true },
      { name: 'audit', to: '/audit', anyOf: ['view_activity_logs'], chord: 'a' },
    ],
  },
  {
    name: 'settings',
    pages: [
      { name: 'members', to: '/members', anyOf: ['view_members'] },
      { name: 'workspace', to: '/workspace', anyOf: ['view_members'] },
      { name: 'organization', to: '/organization', anyOf: ['view_members'], isOfOrganization: true },
      { name: 'security', to: '/security', anyOf: ['manage_members'] },
      { name: 'account', to: '/account', anyOf: [] },
    ],
  },
] as const satisfies readonly { readonly name: string; readonly pages: readonly PageEntry[] }[];
