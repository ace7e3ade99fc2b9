import { Module } from '@nestjs/common';
import { ClientAssertions } from './clients/client-assertions.js';
import { SpentAssertions } from './clients/spent-assertions.js';
import { AuditModule } from '../platform/audit.module.js';
import { AuthModule } from './auth.module.js';
import { LoginController } from './sessions/login.controller.js';
import { Logins, SuperUser } from './sessions/logins.js';
import { Recoveries, RecoveryRequests } from './sessions/recoveries.js';
import { RecoveryController } from './sessions/recovery.controller.js';
import { AuthenticateSystemClientController, OAuthController } from './oauth/oauth.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionUpkeep } from './sessions/session-upkeep.js';
import { TokenIntrospection } from './sessions/token-introspection.js';
import { TokenRevocation } from './sessions/token-revocation.js';
import { ClientLookUps } from './clients/client-look-ups.js';
import { ClientAuthentication } from './clients/client-authentication.js';
import { SystemClientsController } from './clients/system-clients.controller.js';
import { ClientCredentialsGrant } from './oauth/client-credentials.grant.js';
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
    OAuthController,
    AuthenticateSystemClientController,
    WellKnownController,
    SystemClientsController,
    LoginController,
    SessionsController,
    RecoveryController,
  ],
})
export class AuthRoutesModule {}
