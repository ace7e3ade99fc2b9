import { Module } from '@nestjs/common';
import { Integrations } from './clients/integrations.js';
import { IntegrationsController } from './clients/integrations.controller.js';
import { UserAdministration } from './user-administration/user-administration.js';
import { UsersController } from './user-administration/users.controller.js';

/** Administration of system clients in the form of release 2.0 (I-1), and of users (U-6), where records are mounted. */
@Module({
  controllers: [IntegrationsController, UsersController],
  providers: [Integrations, UserAdministration],
  exports: [Integrations, UserAdministration],
})
export class AdministrationModule {}
