import type { Permission } from '../api/session.tsx';
import { words } from '../words/words.ts';
import type { Role } from './scope.ts';

/** For whom each role is, and what each permission lets somebody do, where the name alone does not say it. */
export const roleWords = words(
  {
    roles: {
      creator:
        'Is responsible for the workspace: may do all of it, and alone sends data, downloads results and manages people.',
      developer: 'Builds on it: trains models, asks for predictions, starts batches, makes keys and webhooks.',
      analyst: 'Looks at models and batches, and changes nothing.',
      billing_manager: 'Sees usage and invoices alone.',
      auditor: 'Sees models, usage records and who did what, and changes nothing.',
      member: 'Looks at models, batches and names of files, and changes nothing.',
    } satisfies Readonly<Record<Role, string>>,
    allows: {
      view_models:
        'Contracts, ingestions, questions, versions with their figures, and evaluations. Rows of tables are not among them.',
      manage_aliases: 'Whoever may do this decides which version answers under a name such as production.',
      invoke_predictions: 'In the playground or by a key. Each answer is metered, and can be looked up afterwards.',
      view_batches: 'Which files were scored, when and how far they are; not what came of their rows.',
      create_batches: 'A batch also takes a file, which only those may send who may send data.',
      cancel_batches: 'What has been scored by then is kept. It cannot be started again.',
      download_results: 'Also which rows of a batch were left out, and why: both show rows of customers.',
      delete_results: 'They cannot be brought back.',
      view_files: 'Names, sizes and dates of files; not what is in them.',
      upload_files: 'Also users of SFTP. What is sent here changes what models learn from.',
      download_files: 'Also rows of tables. These are data of customers as they came.',
      delete_files: 'They cannot be brought back.',
      manage_api_keys: 'A key may do what who made it may, or less.',
      manage_webhooks: 'Addresses that are called when something happens, with their secrets and deliveries.',
      view_usage: 'How much was used per day, and how much of each quota is left.',
      view_usage_logs: 'Each metered act, with who did it.',
      view_invoices: 'Also the price plan.',
      view_activity_logs: 'Who did what and when, with its proofs and exports.',
      view_members: 'Names, addresses and roles. Everybody may.',
      manage_members: 'Invitations, roles, domains, single sign-on and addresses that may come in.',
      create_workspaces: 'Also a workspace’s name, time zone, language, and what people are told by default.',
      archive_workspaces: 'In an archived workspace nothing can be changed until it is taken out again.',
    } satisfies Readonly<Record<Permission, string>>,
  },
  {
    roles: {
      creator: 'Responde pelo workspace: pode tudo, e só quem o tem envia dados, baixa resultados e gerencia pessoas.',
      developer: 'Constrói sobre ele: treina modelos, pede previsões, inicia lotes, cria chaves e webhooks.',
      analyst: 'Olha modelos e lotes, e não muda nada.',
      billing_manager: 'Vê só o uso e as faturas.',
      auditor: 'Vê modelos, registros de uso e quem fez o quê, e não muda nada.',
      member: 'Olha modelos, lotes e nomes de arquivos, e não muda nada.',
    },
    allows: {
      view_models:
        'Contratos, ingestões, perguntas, versões com os seus números, e avaliações. Linhas de tabelas não estão incluídas.',
      manage_aliases: 'Quem pode isto decide qual versão responde por um nome como production.',
      invoke_predictions: 'No playground ou por uma chave. Cada resposta é medida, e pode ser consultada depois.',
      view_batches: 'Quais arquivos foram pontuados, quando e até onde; não o que saiu das linhas.',
      create_batches: 'Um lote também precisa de um arquivo, que só envia quem pode enviar dados.',
      cancel_batches: 'O que já foi pontuado fica guardado. Não pode ser retomado.',
      download_results: 'Também quais linhas de um lote ficaram de fora, e por quê: ambos mostram linhas de clientes.',
      delete_results: 'Não há como trazê-los de volta.',
      view_files: 'Nomes, tamanhos e datas de arquivos; não o que há neles.',
      upload_files: 'Também usuários de SFTP. O que se envia aqui muda aquilo com que os modelos aprendem.',
      download_files: 'Também linhas de tabelas. São dados de clientes como vieram.',
      delete_files: 'Não há como trazê-los de volta.',
      manage_api_keys: 'Uma chave pode o que pode quem a criou, ou menos.',
      manage_webhooks: 'Endereços chamados quando algo acontece, com os seus segredos e entregas.',
      view_usage: 'Quanto se usou por dia, e quanto resta de cada cota.',
      view_usage_logs: 'Cada ato medido, e quem o fez.',
      view_invoices: 'Também o plano de preços.',
      view_activity_logs: 'Quem fez o quê e quando, com provas e exportações.',
      view_members: 'Nomes, e-mails e papéis. Todos podem.',
      manage_members: 'Convites, papéis, domínios, login único e endereços que podem entrar.',
      create_workspaces: 'Também nome, fuso e idioma de um workspace, e o que se avisa às pessoas por padrão.',
      archive_workspaces: 'Num workspace arquivado nada muda até ser desarquivado.',
    },
  },
);
