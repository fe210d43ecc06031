import type { Route } from './api/route.ts';
import type { Metrics } from './lib/metrics/metrics.ts';
import { passwordRoutes } from './resources/account/password-routes.ts';
import { accountRoutes } from './resources/account/routes.ts';
import { aliasSplitRoutes } from './resources/alias-splits/routes.ts';
import { apiKeyRoutes } from './resources/api-keys/routes.ts';
import type { App } from './resources/app.ts';
import { archivalRoutes } from './resources/archival/routes.ts';
import { auditCheckpointRoutes } from './resources/audit-checkpoints/routes.ts';
import { auditEntryRoutes } from './resources/audit-entries/routes.ts';
import { auditExportRoutes } from './resources/audit-exports/routes.ts';
import { backtestRoutes } from './resources/backtests/routes.ts';
import { batchRoutes } from './resources/batches/routes.ts';
import { v1Routes } from './resources/batches/v1.ts';
import { breakGlassAdminRoutes } from './resources/break-glass-admins/routes.ts';
import { contractRoutes } from './resources/contracts/routes.ts';
import { counterfactualRoutes } from './resources/counterfactuals/routes.ts';
import { domainRoutes } from './resources/domains/routes.ts';
import { answering, type Embedders } from './resources/embeddings/about.ts';
import { embeddingRoutes } from './resources/embeddings/routes.ts';
import { revealRoute } from './resources/entities/reveal.ts';
import { entityRoutes } from './resources/entities/routes.ts';
import { erasureRoutes } from './resources/erasures/routes.ts';
import { evaluationRoutes } from './resources/evaluations/routes.ts';
import { eventTypeRoutes } from './resources/event-types/routes.ts';
import { eventRoutes } from './resources/events/routes.ts';
import { fileRoutes } from './resources/files/routes.ts';
import { gfmVersionRoutes } from './resources/gfm-versions/routes.ts';
import { healthRoutes } from './resources/health/routes.ts';
import { planAdoption } from './resources/ingestions/adopt-contract.ts';
import { ingestionRoutes } from './resources/ingestions/routes.ts';
import { invitationRoutes } from './resources/invitations/routes.ts';
import { invoiceRoutes } from './resources/invoices/routes.ts';
import { ipRuleRoutes } from './resources/ip-rules/routes.ts';
import { lineageRoutes } from './resources/lineage/routes.ts';
import { memberRoutes } from './resources/members/routes.ts';
import { modelDocumentRoutes } from './resources/models/document/routes.ts';
import { modelRoutes } from './resources/models/routes.ts';
import { monitorRoutes } from './resources/monitors/routes.ts';
import { notificationMailRoutes } from './resources/notification-mails/routes.ts';
import { notificationPreferenceRoutes } from './resources/notification-preferences/routes.ts';
import { notificationRoutes } from './resources/notifications/routes.ts';
import { organizationRoutes } from './resources/organizations/routes.ts';
import { outcomeRoutes } from './resources/outcomes/routes.ts';
import { passkeyRoutes } from './resources/passkeys/routes.ts';
import { predictionRoutes } from './resources/predictions/routes.ts';
import { quotaRoutes } from './resources/quotas/routes.ts';
import { replayRoutes } from './resources/replays/routes.ts';
import { rfmVersionRoutes } from './resources/rfm-versions/routes.ts';
import { roleRoutes } from './resources/roles/routes.ts';
import { secondFactorRoutes } from './resources/second-factors/routes.ts';
import { sessionRoutes } from './resources/sessions/routes.ts';
import { setupStepRoutes } from './resources/setup-steps/routes.ts';
import { sftpFileRoutes } from './resources/sftp-files/routes.ts';
import { sftpServerRoutes } from './resources/sftp-server/routes.ts';
import { sftpUserRoutes } from './resources/sftp-users/routes.ts';
import { shadowRoutes } from './resources/shadows/routes.ts';
import { singleSignOnRoutes } from './resources/single-sign-on/routes.ts';
import { ssoConnectionRoutes } from './resources/sso-connections/routes.ts';
import { sunsetRoutes } from './resources/sunset/routes.ts';
import { tableRoutes } from './resources/tables/routes.ts';
import { taskRoutes } from './resources/tasks/routes.ts';
import { trainingRunRoutes } from './resources/training-runs/routes.ts';
import { usageRoutes } from './resources/usage/routes.ts';
import { validationRoutes } from './resources/validations/routes.ts';
import { watchListRoutes } from './resources/watch-lists/routes.ts';
import { webhookRoutes } from './resources/webhooks/routes.ts';
import { workspaceRoutes } from './resources/workspaces/routes.ts';

/** Every route of the service. */
export const allRoutes = (app: App, metrics: Metrics, embedders: Embedders): Route[] => [
  ...healthRoutes(app, metrics, 'this machine'),
  ...fileRoutes(app),
  ...contractRoutes(app, planAdoption),
  ...ingestionRoutes(app),
  ...tableRoutes(app),
  ...erasureRoutes(app),
  ...taskRoutes(app),
  ...trainingRunRoutes(app),
  ...modelRoutes(app),
  ...aliasSplitRoutes(app),
  ...modelDocumentRoutes(app),
  ...monitorRoutes(app),
  ...rfmVersionRoutes(app),
  ...gfmVersionRoutes(app),
  ...embeddingRoutes(answering(app, embedders)),
  ...entityRoutes(embedders.embeddings),
  revealRoute(app, embedders.embeddings),
  ...predictionRoutes(app),
  ...counterfactualRoutes(app),
  ...lineageRoutes(app),
  ...outcomeRoutes(app),
  ...watchListRoutes(app),
  ...batchRoutes(app),
  ...evaluationRoutes(app),
  ...backtestRoutes(app),
  ...shadowRoutes(app),
  ...replayRoutes(app),
  ...validationRoutes(app),
  ...v1Routes([...batchRoutes(app), ...fileRoutes(app), ...lineageRoutes(app)]),
  ...eventRoutes(app),
  ...eventTypeRoutes(),
  ...notificationRoutes(app),
  ...notificationPreferenceRoutes(app),
  ...notificationMailRoutes(app),
  ...accountRoutes(app),
  ...sessionRoutes(app),
  ...passwordRoutes(app),
  ...secondFactorRoutes(app),
  ...passkeyRoutes(app),
  ...organizationRoutes(app),
  ...workspaceRoutes(app),
  ...archivalRoutes(app),
  ...setupStepRoutes(app),
  ...roleRoutes(),
  ...memberRoutes(app),
  ...invitationRoutes(app),
  ...apiKeyRoutes(app),
  ...sftpFileRoutes(app),
  ...sftpServerRoutes(app),
  ...sftpUserRoutes(app),
  ...ipRuleRoutes(app),
  ...domainRoutes(app),
  ...ssoConnectionRoutes(app),
  ...singleSignOnRoutes(app),
  ...breakGlassAdminRoutes(app),
  ...quotaRoutes(app),
  ...usageRoutes(app),
  ...invoiceRoutes(app),
  ...webhookRoutes(app),
  ...auditEntryRoutes(app),
  ...auditCheckpointRoutes(app),
  ...auditExportRoutes(app),
  ...sunsetRoutes(),
];
