import type { Permission } from '../api/session.tsx';
import { words } from './words.ts';

/** What each permission allows, in words. */
export const permissionWords = words(
  {
    view_models: 'See data, tasks, models and training runs',
    manage_aliases: 'Define tasks, train, promote and delete models',
    invoke_predictions: 'Ask for predictions, embeddings and entities',
    view_batches: 'See batches',
    create_batches: 'Start batches and evaluations',
    cancel_batches: 'Interrupt batches and evaluations',
    download_results: 'Download results of batches',
    delete_results: 'Delete results of batches',
    view_files: 'See files',
    upload_files: 'Send data, change contracts and erase people from them',
    download_files: 'Download files, and export models',
    delete_files: 'Delete files',
    manage_api_keys: 'Make API keys of one’s own',
    manage_webhooks: 'Manage webhooks',
    view_usage: 'See usage',
    view_usage_logs: 'See usage records',
    view_invoices: 'See invoices',
    view_activity_logs: 'See the audit log',
    view_members: 'See members',
    manage_members: 'Manage members, security and settings of the organization',
    create_workspaces: 'Add and change workspaces',
    archive_workspaces: 'Archive workspaces',
  },
  {
    view_models: 'Ver dados, tarefas, modelos e treinamentos',
    manage_aliases: 'Definir tarefas, treinar, promover e excluir modelos',
    invoke_predictions: 'Pedir previsões, embeddings e entidades',
    view_batches: 'Ver lotes',
    create_batches: 'Iniciar lotes e avaliações',
    cancel_batches: 'Interromper lotes e avaliações',
    download_results: 'Baixar resultados de lotes',
    delete_results: 'Excluir resultados de lotes',
    view_files: 'Ver arquivos',
    upload_files: 'Enviar dados, mudar contratos e apagar os dados de pessoas',
    download_files: 'Baixar arquivos, e exportar modelos',
    delete_files: 'Excluir arquivos',
    manage_api_keys: 'Criar chaves de API próprias',
    manage_webhooks: 'Gerenciar webhooks',
    view_usage: 'Ver o uso',
    view_usage_logs: 'Ver os registros de uso',
    view_invoices: 'Ver faturas',
    view_activity_logs: 'Ver a trilha de auditoria',
    view_members: 'Ver membros',
    manage_members: 'Gerenciar membros, segurança e configurações da organização',
    create_workspaces: 'Criar e mudar workspaces',
    archive_workspaces: 'Arquivar workspaces',
  },
);

/** All of them, in the order in which people read them. */
export const permissionNames = Object.keys(permissionWords.en) as readonly Permission[];
