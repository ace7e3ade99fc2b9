import { Module } from '@nestjs/common';

import { AuthModule } from './auth.module.js';
import { LocationsModule } from './locations.module.js';
import { UserAdministration } from './user-administration/user-administration.js';
import { UsersController } from './user-administration/users.controller.js';

/** Administration of users (U-6). */
@Module({
  imports: [AuthModule, LocationsModule],
  providers: [UserAdministration],
  controllers: [UsersController],
  exports: [UserAdministration],
})
export class UserRoutesModule {}
