import { Module } from '@nestjs/common';

import { ClientAssertions } from './clients/client-assertions.js';
import { SpentAssertions } from './clients/spent-assertions.js';
import { AuditModule } from '../platform/audit.module.js';
import { AuthModule } from './auth.module.js';
import { LoginController } from './sessions/login.controller.js';
import { Logins } from './sessions/logins.js';
import { SuperUser } from './sessions/super-user.js';
import { Recoveries } from './sessions/recoveries.js';
import { RecoveryController } from './sessions/recovery.controller.js';
import { RecoveryRequests } from './sessions/recovery-requests.js';
import { OAuthTokensController } from './oauth/oauth-tokens.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionUpkeep } from './sessions/session-upkeep.js';
import { TokenIntrospection } from './sessions/token-introspection.js';
import { TokenRevocation } from './sessions/token-revocation.js';
import { ClientLookUps } from './clients/client-look-ups.js';
import { ClientAuthentication } from './clients/client-authentication.js';
import { SystemClientsController } from './clients/system-clients.controller.js';
import { AuthenticateSystemClientController } from './oauth/authenticate-system-client.controller.js';
import { ClientCredentialsGrant } from './oauth/client-credentials.grant.js';
import { TokenController } from './oauth/token.controller.js';
import { WellKnownController } from './oauth/well-known.controller.js';

/** Also requires a global provider of `FailedCredentialLimit`. */
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
