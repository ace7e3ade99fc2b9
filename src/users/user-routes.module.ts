import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { LocationsModule } from '../locations/locations.module.js';
import { UserAdministration } from './user-administration.js';
import { UsersController } from './users.controller.js';

/** Administration of users (U-6). */
@Module({
  imports: [AuthModule, LocationsModule],
  providers: [UserAdministration],
  controllers: [UsersController],
  exports: [UserAdministration],
})
export class UserRoutesModule {}
