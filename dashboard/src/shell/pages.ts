import type { LinkProps } from '@tanstack/react-router';
import {
  Activity,
  Bell,
  Boxes,
  Building2,
  ChartNoAxesColumn,
  CreditCard,
  Database,
  FileStack,
  FlaskConical,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Network,
  PlayCircle,
  ScrollText,
  Settings,
  ShieldCheck,
  SlidersHorizontal,
  Sparkles,
  Target,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react';
import type { Permission } from '../api/session.tsx';
import { words } from '../words/words.ts';

/** The names of the pages, as menus, titles and the command menu say them. */
export const pageNames = words(
  {
    overview: 'Overview',
    playground: 'Playground',
    predictions: 'Predictions',
    batches: 'Batches',
    models: 'Models',
    runs: 'Training runs',
    evaluations: 'Evaluations',
    tasks: 'Tasks',
    data: 'Data',
    foundation: 'Foundation models',
    entities: 'Entities',
    embeddings: 'Embeddings',
    webhooks: 'Webhooks',
    keys: 'API keys',
    usage: 'Usage',
    invoices: 'Invoices',
    audit: 'Audit log',
    inbox: 'Inbox',
    members: 'Members and roles',
    security: 'Security',
    workspace: 'Workspace',
    organization: 'Organization',
    account: 'Your account',
    predict: 'Predict',
    learn: 'Learn',
    explore: 'Explore',
    operate: 'Operate',
    settings: 'Settings',
  },
  {
    overview: 'Visão geral',
    playground: 'Playground',
    predictions: 'Previsões',
    batches: 'Lotes',
    models: 'Modelos',
    runs: 'Treinamentos',
    evaluations: 'Avaliações',
    tasks: 'Tarefas',
    data: 'Dados',
    foundation: 'Modelos de base',
    entities: 'Entidades',
    embeddings: 'Embeddings',
    webhooks: 'Webhooks',
    keys: 'Chaves de API',
    usage: 'Uso',
    invoices: 'Faturas',
    audit: 'Trilha de auditoria',
    inbox: 'Caixa de entrada',
    members: 'Membros e papéis',
    security: 'Segurança',
    workspace: 'Workspace',
    organization: 'Organização',
    account: 'Sua conta',
    predict: 'Prever',
    learn: 'Aprender',
    explore: 'Explorar',
    operate: 'Operar',
    settings: 'Configurações',
  },
);

export type PageName = keyof (typeof pageNames)['en'];

export type PageEntry = {
  readonly name: PageName;
  readonly to: LinkProps['to'];
  readonly icon: LucideIcon;
  /** Shown to those who have one of them; to everybody where there is none. */
  readonly anyOf: readonly Permission[];
  /** Whether the permission must hold in the whole organization. */
  readonly isOfOrganization?: boolean;
  /** The second key of its chord: `G` and then this. */
  readonly chord?: string;
};

/** Every page of the menu, in its group and order. What a page asks for is what the routes behind it ask for. */
export const pageGroups: readonly { readonly name: PageName; readonly pages: readonly PageEntry[] }[] = [
  {
    name: 'predict',
    pages: [
      { name: 'overview', to: '/', icon: LayoutDashboard, anyOf: [], chord: 'o' },
      { name: 'playground', to: '/playground', icon: PlayCircle, anyOf: ['invoke_predictions'], chord: 'y' },
      { name: 'predictions', to: '/predictions', icon: Activity, anyOf: ['invoke_predictions'], chord: 'p' },
      { name: 'batches', to: '/batches', icon: FileStack, anyOf: ['view_batches'], chord: 'b' },
    ],
  },
  {
    name: 'learn',
    pages: [
      { name: 'data', to: '/data', icon: Database, anyOf: ['view_models'], chord: 'd' },
      { name: 'tasks', to: '/tasks', icon: Target, anyOf: ['view_models'], chord: 't' },
      { name: 'runs', to: '/training-runs', icon: SlidersHorizontal, anyOf: ['view_models'], chord: 'r' },
      { name: 'models', to: '/models', icon: Boxes, anyOf: ['view_models'], chord: 'm' },
      { name: 'evaluations', to: '/evaluations', icon: FlaskConical, anyOf: ['view_models'] },
      { name: 'foundation', to: '/foundation', icon: Sparkles, anyOf: ['view_models'] },
    ],
  },
  {
    name: 'explore',
    pages: [
      { name: 'entities', to: '/entities', icon: Network, anyOf: ['invoke_predictions'], chord: 'e' },
      { name: 'embeddings', to: '/embeddings', icon: ChartNoAxesColumn, anyOf: ['invoke_predictions'] },
    ],
  },
  {
    name: 'operate',
    pages: [
      { name: 'inbox', to: '/inbox', icon: Bell, anyOf: ['view_members'], chord: 'i' },
      { name: 'webhooks', to: '/webhooks', icon: Webhook, anyOf: ['manage_webhooks'], chord: 'w' },
      { name: 'keys', to: '/api-keys', icon: KeyRound, anyOf: ['manage_api_keys'], chord: 'k' },
      { name: 'usage', to: '/usage', icon: ChartNoAxesColumn, anyOf: ['view_usage', 'view_usage_logs'], chord: 'u' },
      { name: 'invoices', to: '/invoices', icon: CreditCard, anyOf: ['view_invoices'], isOfOrganization: true },
      { name: 'audit', to: '/audit', icon: ScrollText, anyOf: ['view_activity_logs'], chord: 'a' },
    ],
  },
  {
    name: 'settings',
    pages: [
      { name: 'members', to: '/members', icon: Users, anyOf: ['view_members'] },
      { name: 'workspace', to: '/workspace', icon: Settings, anyOf: ['view_members'] },
      { name: 'organization', to: '/organization', icon: Building2, anyOf: ['view_members'], isOfOrganization: true },
      { name: 'security', to: '/security', icon: ShieldCheck, anyOf: ['manage_members'] },
      { name: 'account', to: '/account', icon: UserCog, anyOf: [] },
    ],
  },
];

export const allPages: readonly PageEntry[] = pageGroups.flatMap(({ pages }) => pages);
