import { Module } from '@nestjs/common';

import { AuditModule } from '../platform/audit.module.js';
import { AuthModule } from './auth.module.js';
import { IntegrationAnswers } from './clients/integration-answers.js';
import { IntegrationAuditController } from './clients/integration-audit.controller.js';
import { IntegrationAudit } from './clients/integration-audit.js';
import { IntegrationPages } from './clients/integration-page.js';
import { IntegrationsController } from './clients/integrations.controller.js';
import { Integrations } from './clients/integrations.js';
import { UserAdministration } from './user-administration/user-administration.js';
import { UsersController } from './user-administration/users.controller.js';

/** Administration of system clients in the form of release 2.0 (I-1), and of users (U-6). */
@Module({
  imports: [AuditModule, AuthModule],
  controllers: [IntegrationsController, IntegrationAuditController, UsersController],
  providers: [IntegrationAnswers, IntegrationAudit, IntegrationPages, Integrations, UserAdministration],
  exports: [IntegrationAnswers, IntegrationAudit, UserAdministration],
})
export class AdministrationModule {}
