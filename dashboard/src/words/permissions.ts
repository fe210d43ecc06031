import type { Permission } from '../api/session.tsx';
import { words } from './words.ts';

/** What each permission allows, in words. */
export const permissionWords = words(
  {
    view_models: 'See models, data and runs',
    manage_aliases: 'Train models, move aliases, define tasks',
    invoke_predictions: 'Ask for predictions',
    view_batches: 'See batches',
    create_batches: 'Start batches',
    cancel_batches: 'Interrupt batches',
    download_results: 'Download results',
    delete_results: 'Delete results',
    view_files: 'See files',
    upload_files: 'Upload files',
    download_files: 'Download files',
    delete_files: 'Delete files',
    manage_api_keys: 'Manage API keys',
    manage_webhooks: 'Manage webhooks',
    view_usage: 'See usage',
    view_usage_logs: 'See usage records',
    view_invoices: 'See invoices',
    view_activity_logs: 'Read the audit log',
    view_members: 'See members',
    manage_members: 'Manage members',
    create_workspaces: 'Create and change workspaces',
    archive_workspaces: 'Archive workspaces',
  },
  {
    view_models: 'Ver modelos, dados e treinamentos',
    manage_aliases: 'Treinar modelos, mover aliases, definir tarefas',
    invoke_predictions: 'Pedir previsões',
    view_batches: 'Ver lotes',
    create_batches: 'Iniciar lotes',
    cancel_batches: 'Interromper lotes',
    download_results: 'Baixar resultados',
    delete_results: 'Excluir resultados',
    view_files: 'Ver arquivos',
    upload_files: 'Enviar arquivos',
    download_files: 'Baixar arquivos',
    delete_files: 'Excluir arquivos',
    manage_api_keys: 'Gerenciar chaves de API',
    manage_webhooks: 'Gerenciar webhooks',
    view_usage: 'Ver o uso',
    view_usage_logs: 'Ver os registros de uso',
    view_invoices: 'Ver faturas',
    view_activity_logs: 'Ler a trilha de auditoria',
    view_members: 'Ver membros',
    manage_members: 'Gerenciar membros',
    create_workspaces: 'Criar e alterar workspaces',
    archive_workspaces: 'Arquivar workspaces',
  },
);

/** All of them, in the order in which people read them. */
export const permissionNames = Object.keys(permissionWords.en) as readonly Permission[];
