import { Module } from '@nestjs/common';

import { ClientAssertions } from './assertions/client-assertions.js';
import { SpentAssertions } from './assertions/spent-assertions.js';
import { AuthModule } from './auth.module.js';
import { LoginController } from './login/login.controller.js';
import { Logins } from './login/logins.js';
import { SuperUser } from './login/super-user.js';
import { ClientAuthentication } from './system-clients/client-authentication.js';
import { SystemClientsController } from './system-clients/system-clients.controller.js';
import { AuthenticateSystemClientController } from './token/authenticate-system-client.controller.js';
import { ClientCredentialsGrant } from './token/client-credentials.grant.js';
import { TokenController } from './token/token.controller.js';
import { WellKnownController } from './token/well-known.controller.js';

/** The routes of auth. Needs a global provider of `FailedCredentialLimit` in addition to what `AuthModule` needs. */
@Module({
  imports: [AuthModule],
  providers: [ClientAssertions, ClientAuthentication, ClientCredentialsGrant, Logins, SpentAssertions, SuperUser],
  controllers: [
    TokenController,
    AuthenticateSystemClientController,
    WellKnownController,
    SystemClientsController,
    LoginController,
  ],
})
export class AuthRoutesModule {}
