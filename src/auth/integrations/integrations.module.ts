import { Module } from '@nestjs/common';

import { AuditModule } from '../../audit/audit.module.js';
import { AuthModule } from '../auth.module.js';
import { IntegrationAnswers } from './integration-answers.js';
import { IntegrationAudit } from './integration-audit.js';
import { IntegrationAuditController } from './integration-audit.controller.js';
import { IntegrationPages } from './integration-page.js';
import { Integrations } from './integrations.js';
import { IntegrationsController } from './integrations.controller.js';

/** Administration of system clients in the form of release 2.0 (I-1). */
@Module({
  imports: [AuditModule, AuthModule],
  controllers: [IntegrationsController, IntegrationAuditController],
  providers: [IntegrationAnswers, IntegrationAudit, IntegrationPages, Integrations],
  exports: [IntegrationAnswers, IntegrationAudit],
})
export class IntegrationsModule {}
