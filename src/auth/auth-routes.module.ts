import { Module } from '@nestjs/common';

import { ClientAssertions } from './assertions/client-assertions.js';
import { SpentAssertions } from './assertions/spent-assertions.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from './auth.module.js';
import { LoginController } from './login/login.controller.js';
import { Logins } from './login/logins.js';
import { SuperUser } from './login/super-user.js';
import { Recoveries } from './recovery/recoveries.js';
import { RecoveryController } from './recovery/recovery.controller.js';
import { RecoveryRequests } from './recovery/recovery-requests.js';
import { OAuthTokensController } from './sessions/oauth-tokens.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionUpkeep } from './sessions/session-upkeep.js';
import { TokenIntrospection } from './sessions/token-introspection.js';
import { TokenRevocation } from './sessions/token-revocation.js';
import { ClientLookUps } from './system-clients/client-look-ups.js';
import { ClientAuthentication } from './system-clients/client-authentication.js';
import { SystemClientsController } from './system-clients/system-clients.controller.js';
import { AuthenticateSystemClientController } from './token/authenticate-system-client.controller.js';
import { ClientCredentialsGrant } from './token/client-credentials.grant.js';
import { TokenController } from './token/token.controller.js';
import { WellKnownController } from './token/well-known.controller.js';

/** The routes of auth. Needs a global provider of `FailedCredentialLimit` in addition to what `AuthModule` needs. */
@Module({
  imports: [AuditModule, AuthModule],
  providers: [
    ClientAssertions,
    ClientAuthentication,
    ClientCredentialsGrant,
    ClientLookUps,
    Logins,
    SessionUpkeep,
    SpentAssertions,
    SuperUser,
    TokenIntrospection,
    TokenRevocation,
    Recoveries,
    RecoveryRequests,
  ],
  controllers: [
    TokenController,
    AuthenticateSystemClientController,
    WellKnownController,
    SystemClientsController,
    LoginController,
    SessionsController,
    OAuthTokensController,
    RecoveryController,
  ],
})
export class AuthRoutesModule {}
