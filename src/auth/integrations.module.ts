import { Module } from '@nestjs/common';

import { AuditModule } from '../platform/audit.module.js';
import { AuthModule } from './auth.module.js';
import { IntegrationAnswers } from './clients/integration-answers.js';
import { IntegrationAudit } from './clients/integration-audit.js';
import { IntegrationAuditController } from './clients/integration-audit.controller.js';
import { IntegrationPages } from './clients/integration-page.js';
import { Integrations } from './clients/integrations.js';
import { IntegrationsController } from './clients/integrations.controller.js';

/** Administration of system clients in the form of release 2.0 (I-1). */
@Module({
  imports: [AuditModule, AuthModule],
  controllers: [IntegrationsController, IntegrationAuditController],
  providers: [IntegrationAnswers, IntegrationAudit, IntegrationPages, Integrations],
  exports: [IntegrationAnswers, IntegrationAudit],
})
export class IntegrationsModule {}
