// What the events that people are told of are called, in the languages of the service.
import type { EventType } from '../../trail/catalog.ts';

/** The title of a type in both languages, and what it means in Portuguese; the catalog says that in English. */
export type Words = { readonly en: string; readonly pt: string; readonly means: string };

export const words: Readonly<Record<EventType, Words>> = {
  'batch-input-upload-request': {
    en: 'Upload of files requested',
    pt: 'Envio de arquivos solicitado',
    means: 'O envio de um arquivo foi solicitado.',
  },
  'batch-input-deletion': {
    en: 'File deleted',
    pt: 'Arquivo excluído',
    means: 'Um arquivo foi excluído.',
  },
  'batch-request': { en: 'Batch requested', pt: 'Lote solicitado', means: 'A execução de um lote foi solicitada.' },
  'batch-interrupt-request': {
    en: 'Interruption of a batch requested',
    pt: 'Interrupção de lote solicitada',
    means: 'A interrupção de um lote foi solicitada.',
  },
  'batch-lifecycle': { en: 'Batch', pt: 'Lote', means: 'Um lote mudou de situação.' },
  'sftp-file-receipt': {
    en: 'File put in by SFTP',
    pt: 'Arquivo recebido por SFTP',
    means: 'Um arquivo foi enviado por SFTP.',
  },
  'sftp-file-refusal': {
    en: 'File by SFTP refused',
    pt: 'Arquivo enviado por SFTP recusado',
    means: 'Um arquivo enviado por SFTP não virou lote.',
  },
  'sftp-user-creation': {
    en: 'SFTP user created',
    pt: 'Usuário SFTP criado',
    means: 'Um usuário SFTP foi criado.',
  },
  'sftp-user-deletion': {
    en: 'SFTP user deleted',
    pt: 'Usuário SFTP excluído',
    means: 'Um usuário SFTP foi excluído.',
  },
  'batch-result-download': {
    en: 'Result of a batch downloaded',
    pt: 'Resultado de lote baixado',
    means: 'Um resultado foi baixado.',
  },
  'batch-result-deletion': {
    en: 'Result of a batch deleted',
    pt: 'Resultado de lote excluído',
    means: 'Um resultado foi excluído.',
  },
  'task-deletion': { en: 'Task deleted', pt: 'Tarefa excluída', means: 'Uma tarefa foi excluída.' },
  'model-deletion': {
    en: 'Model deleted',
    pt: 'Modelo excluído',
    means: 'Um modelo foi excluído com as suas versões.',
  },
  'model-version-creation': {
    en: 'New model version',
    pt: 'Nova versão de modelo',
    means: 'Um treinamento produziu uma versão.',
  },
  'model-version-validation': {
    en: 'Model version validated',
    pt: 'Versão de modelo validada',
    means: 'Uma versão foi comparada com a que ela substituiria.',
  },
  'model-version-approval': {
    en: 'Model version approved',
    pt: 'Versão de modelo aprovada',
    means: 'Uma pessoa aprovou uma versão para um alias.',
  },
  'model-gates-update': {
    en: 'Gates of a model changed',
    pt: 'Critérios de promoção alterados',
    means: 'Mudaram os critérios que as versões de um modelo cumprem antes de receber um alias.',
  },
  'model-gates-override': {
    en: 'Gates of a model overridden',
    pt: 'Critérios de promoção dispensados',
    means: 'Um Creator deu um alias a uma versão que não cumpre os critérios do modelo.',
  },
  'model-version-activation': {
    en: 'Model version activated',
    pt: 'Versão de modelo ativada',
    means: 'Uma versão foi ativada.',
  },
  'model-version-deactivation': {
    en: 'Model version deactivated',
    pt: 'Versão de modelo desativada',
    means: 'Uma versão foi desativada.',
  },
  'model-version-promotion': {
    en: 'Model version promoted',
    pt: 'Versão de modelo promovida',
    means: 'Uma versão recebeu um alias.',
  },
  'model-version-demotion': {
    en: 'Model version demoted',
    pt: 'Versão de modelo rebaixada',
    means: 'Uma versão perdeu um alias.',
  },
  'alias-split-update': {
    en: 'Alias split',
    pt: 'Alias dividido',
    means: 'Uma versão passou a responder por uma parte de quem um alias é perguntado, ou por outra parte.',
  },
  'alias-split-end': {
    en: 'Alias no longer split',
    pt: 'Alias não mais dividido',
    means: 'Uma versão não responde mais por nenhuma parte de um alias.',
  },
  'model-version-rollback': {
    en: 'Model version rolled back',
    pt: 'Versão de modelo revertida',
    means: 'Um alias voltou à versão anterior, porque a sua versão falhou.',
  },
  'model-drift': {
    en: 'Drift of a model',
    pt: 'Mudança nos dados de um modelo',
    means:
      'O que se pergunta a uma versão, ou o que ela responde, difere com certeza do que era, ou um contrato tira o que ela lê; ou não mais.',
  },
  'model-performance': {
    en: 'Performance of a model',
    pt: 'Desempenho de um modelo',
    means: 'O que aconteceu depois das previsões não é, com certeza, o que a versão prometia; ou voltou a ser.',
  },
  'shadow-update': {
    en: 'Version in the shadow of an alias',
    pt: 'Versão na sombra de um alias',
    means: 'Uma versão passou a responder também ao que um alias é perguntado.',
  },
  'shadow-end': {
    en: 'Version out of the shadow of an alias',
    pt: 'Versão fora da sombra de um alias',
    means: 'Uma versão deixou de responder ao lado de um alias.',
  },
  'gfm-version-release': {
    en: 'New version of the graph model',
    pt: 'Nova versão do modelo de grafo',
    means: 'O operador lançou uma versão do modelo de grafo.',
  },
  'rfm-version-creation': {
    en: 'New version of the relational model',
    pt: 'Nova versão do modelo relacional',
    means: 'Um treinamento produziu uma versão do modelo relacional do workspace.',
  },
  'watch-list-move': {
    en: 'Move on a watch list',
    pt: 'Mudança em lista de acompanhamento',
    means: 'Uma entidade acompanhada passou a outra faixa ou classe, ou mudou além do limite; ou muitas mudaram.',
  },
  'embedding-request': {
    en: 'Embeddings requested',
    pt: 'Embeddings solicitados',
    means: 'Embeddings foram solicitados.',
  },
  'training-run-lifecycle': { en: 'Training run', pt: 'Treinamento', means: 'Um treinamento mudou de situação.' },
  'training-run-failure': {
    en: 'Training run failed',
    pt: 'Treinamento com falha',
    means: 'Um treinamento falhou e não fez versão.',
  },
  'validation-lifecycle': { en: 'Validation', pt: 'Validação', means: 'Uma validação de versão mudou de situação.' },
  'evaluation-lifecycle': { en: 'Evaluation', pt: 'Avaliação', means: 'Uma avaliação de versão mudou de situação.' },
  'replay-lifecycle': {
    en: 'Replay',
    pt: 'Repetição',
    means: 'Uma repetição de previsões, ou de um lote, mudou de situação.',
  },
  'replay-difference': {
    en: 'Replay found differences',
    pt: 'Repetição com diferenças',
    means: 'Uma repetição achou previsões que não saem mais como foram respondidas, ou que o registro não tem assim.',
  },
  'backtest-deletion': {
    en: 'Backtest deleted',
    pt: 'Backtest excluído',
    means: 'Um backtest de versão foi excluído, com o seu resultado.',
  },
  'backtest-lifecycle': { en: 'Backtest', pt: 'Backtest', means: 'Um backtest de versão mudou de situação.' },
  'ingestion-lifecycle': { en: 'Ingestion', pt: 'Ingestão', means: 'Uma ingestão mudou de situação.' },
  'data-contract-version': {
    en: 'Data contract',
    pt: 'Contrato de dados',
    means: 'Uma versão do contrato foi proposta, aceita ou rejeitada.',
  },
  'data-contract-deviation': {
    en: 'Data deviate from the contract',
    pt: 'Dados desviam do contrato',
    means: 'Um arquivo desvia do contrato: uma nova versão dele é proposta, ou o arquivo tem erros.',
  },
  'erasure-lifecycle': {
    en: 'Erasure',
    pt: 'Apagamento',
    means: 'Um apagamento foi solicitado, feito ou interrompido.',
  },
  'object-damage': {
    en: 'Stored object damaged',
    pt: 'Objeto armazenado danificado',
    means: 'Um objeto armazenado não é o que foi guardado; nada foi feito a partir dele.',
  },
  'workspace-creation': { en: 'Workspace created', pt: 'Workspace criado', means: 'Um workspace foi criado.' },
  'workspace-update': { en: 'Workspace changed', pt: 'Workspace alterado', means: 'Um workspace foi alterado.' },
  'workspace-archival': { en: 'Workspace archived', pt: 'Workspace arquivado', means: 'Um workspace foi arquivado.' },
  'workspace-unarchival': {
    en: 'Workspace taken out of the archive',
    pt: 'Workspace desarquivado',
    means: 'Um workspace foi tirado do arquivo.',
  },
  'api-key-creation': { en: 'API key created', pt: 'Chave de API criada', means: 'Uma chave foi criada.' },
  'api-key-deletion': { en: 'API key deleted', pt: 'Chave de API excluída', means: 'Uma chave foi excluída.' },
  'api-key-recycling': { en: 'API key rotated', pt: 'Chave de API rotacionada', means: 'Uma chave foi rotacionada.' },
  'api-key-renaming': { en: 'API key renamed', pt: 'Chave de API renomeada', means: 'Uma chave foi renomeada.' },
  'break-glass-admin-addition': {
    en: 'Break-glass admin added',
    pt: 'Administrador de emergência adicionado',
    means: 'Um criador (Creator) tornou-se administrador de emergência.',
  },
  'break-glass-admin-removal': {
    en: 'Break-glass admin removed',
    pt: 'Administrador de emergência removido',
    means: 'Um administrador de emergência tornou-se um membro como os outros.',
  },
  'break-glass-sign-in': {
    en: 'Sign-in without single sign-on',
    pt: 'Acesso sem o login único',
    means: 'Um administrador de emergência entrou onde os membros devem usar o login único.',
  },
  'device-addition': {
    en: 'Sign-in on a new device',
    pt: 'Acesso em um novo dispositivo',
    means: 'Uma pessoa entrou em um dispositivo que não era conhecido.',
  },
  'domain-creation': { en: 'Domain named', pt: 'Domínio indicado', means: 'Um domínio da organização foi indicado.' },
  'domain-deletion': { en: 'Domain deleted', pt: 'Domínio excluído', means: 'Um domínio da organização foi excluído.' },
  'domain-verification': {
    en: 'Domain proved',
    pt: 'Domínio comprovado',
    means: 'Um domínio foi comprovado pelo seu registro no DNS.',
  },
  'invitation-acceptance': { en: 'Invitation accepted', pt: 'Convite aceito', means: 'Um convite foi aceito.' },
  'invitation-creation': { en: 'Invitation sent', pt: 'Convite enviado', means: 'Alguém foi convidado.' },
  'invitation-resending': {
    en: 'Invitation sent again',
    pt: 'Convite reenviado',
    means: 'Um convite foi enviado novamente.',
  },
  'invitation-revocation': { en: 'Invitation revoked', pt: 'Convite revogado', means: 'Um convite foi revogado.' },
  'ip-rule-creation': {
    en: 'Rule about addresses made',
    pt: 'Regra de endereços criada',
    means: 'Foi criada uma regra sobre os endereços de onde vêm as chamadas.',
  },
  'ip-rule-deletion': {
    en: 'Rule about addresses deleted',
    pt: 'Regra de endereços excluída',
    means: 'Uma regra sobre endereços foi excluída.',
  },
  login: { en: 'Sign-in', pt: 'Acesso', means: 'Uma pessoa entrou.' },
  'login-failure': {
    en: 'Failed sign-in',
    pt: 'Acesso recusado',
    means: 'Alguém tentou entrar em uma conta e foi recusado.',
  },
  'member-addition': { en: 'Member added', pt: 'Membro adicionado', means: 'Um membro foi adicionado.' },
  'member-removal': { en: 'Member removed', pt: 'Membro removido', means: 'Um membro foi removido, ou saiu.' },
  'member-role-update': {
    en: 'Role of a member changed',
    pt: 'Papel de membro alterado',
    means: 'Um membro recebeu outro papel.',
  },
  'organization-creation': {
    en: 'Organization created',
    pt: 'Organização criada',
    means: 'Uma organização foi criada.',
  },
  'organization-feature-update': {
    en: 'Feature of the organization switched',
    pt: 'Recurso da organização alterado',
    means: 'O operador ligou ou desligou um recurso de uma organização.',
  },
  'organization-resumption': {
    en: 'Organization resumed',
    pt: 'Organização reativada',
    means: 'O operador encerrou a suspensão de uma organização.',
  },
  'organization-suspension': {
    en: 'Organization suspended',
    pt: 'Organização suspensa',
    means: 'O operador suspendeu uma organização.',
  },
  'organization-update': {
    en: 'Organization changed',
    pt: 'Organização alterada',
    means: 'As configurações de uma organização foram alteradas.',
  },
  'passkey-creation': {
    en: 'Passkey added',
    pt: 'Chave de acesso adicionada',
    means: 'Uma chave de acesso foi cadastrada.',
  },
  'passkey-deletion': {
    en: 'Passkey removed',
    pt: 'Chave de acesso removida',
    means: 'Uma chave de acesso foi excluída.',
  },
  'passkey-renaming': {
    en: 'Passkey renamed',
    pt: 'Chave de acesso renomeada',
    means: 'Uma chave de acesso foi renomeada.',
  },
  'password-update': {
    en: 'Password changed',
    pt: 'Senha alterada',
    means: 'Uma senha foi alterada ou redefinida.',
  },
  'price-plan-update': {
    en: 'Price plan changed',
    pt: 'Plano de preços alterado',
    means: 'O operador colocou uma organização em um plano de preços.',
  },
  'usage-limit-warning': {
    en: 'Four fifths of a quota are used',
    pt: 'Quatro quintos de uma cota foram usados',
    means: 'Quatro quintos do que pode ser usado no mês foram usados.',
  },
  'usage-limit-reached': {
    en: 'A quota is used up',
    pt: 'Uma cota se esgotou',
    means: 'O que pode ser usado no mês foi todo usado.',
  },
  'invoice-issuance': { en: 'Invoice issued', pt: 'Fatura emitida', means: 'Uma fatura foi emitida.' },
  'quota-update': { en: 'Quota changed', pt: 'Cota alterada', means: 'O operador definiu ou retirou uma cota.' },
  'second-factor-update': {
    en: 'Second factor changed',
    pt: 'Segundo fator alterado',
    means: 'Um segundo fator foi configurado ou removido, ou seus códigos de recuperação foram refeitos.',
  },
  'session-revocation': {
    en: 'Session ended',
    pt: 'Sessão encerrada',
    means: 'Uma sessão terminou: por saída, por seu dono a partir de outra, ou por vir de outro dispositivo.',
  },
  'sign-in-link-creation': {
    en: 'Sign-in link made',
    pt: 'Link de acesso criado',
    means: 'O operador criou um link pelo qual uma pessoa entra uma vez.',
  },
  'sso-authentication': {
    en: 'Sign-in at an identity provider',
    pt: 'Acesso por provedor de identidade',
    means: 'Uma pessoa voltou de um provedor de identidade, e entrou ou foi recusada.',
  },
  'sso-connection-activation': {
    en: 'Single sign-on connection activated',
    pt: 'Conexão de login único ativada',
    means: 'As pessoas podem entrar por uma conexão.',
  },
  'sso-connection-creation': {
    en: 'Single sign-on connection added',
    pt: 'Conexão de login único adicionada',
    means: 'Uma conexão com um provedor de identidade foi adicionada.',
  },
  'sso-connection-deactivation': {
    en: 'Single sign-on connection deactivated',
    pt: 'Conexão de login único desativada',
    means: 'Ninguém mais pode entrar por uma conexão.',
  },
  'sso-connection-deletion': {
    en: 'Single sign-on connection deleted',
    pt: 'Conexão de login único excluída',
    means: 'Uma conexão com um provedor de identidade foi excluída.',
  },
  'sso-connection-update': {
    en: 'Single sign-on connection changed',
    pt: 'Conexão de login único alterada',
    means: 'Uma conexão com um provedor de identidade foi alterada.',
  },
  'user-creation': { en: 'Account created', pt: 'Conta criada', means: 'Uma pessoa se cadastrou.' },
  'user-deletion': { en: 'Account deleted', pt: 'Conta excluída', means: 'Uma pessoa excluiu sua conta.' },
  'user-update': {
    en: 'Account changed',
    pt: 'Conta alterada',
    means: 'Uma pessoa alterou seu nome, idioma ou endereço.',
  },
  'webhook-creation': { en: 'Webhook created', pt: 'Webhook criado', means: 'Um webhook foi criado.' },
  'webhook-deletion': { en: 'Webhook deleted', pt: 'Webhook excluído', means: 'Um webhook foi excluído.' },
  'webhook-delivery-exhaustion': {
    en: 'Delivery to a webhook failed',
    pt: 'Entrega a webhook falhou',
    means: 'Uma entrega falhou na última tentativa.',
  },
  'webhook-disablement': {
    en: 'Webhook disabled',
    pt: 'Webhook desativado',
    means: 'O serviço desativou um webhook: seu receptor não existe mais, ou falha há dias.',
  },
  'webhook-secret-rotation': {
    en: 'Secret of a webhook rotated',
    pt: 'Segredo de webhook rotacionado',
    means: 'O segredo de assinatura de um webhook foi rotacionado.',
  },
  'webhook-update': { en: 'Webhook changed', pt: 'Webhook alterado', means: 'Um webhook foi alterado.' },
};
