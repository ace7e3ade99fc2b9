import { type DynamicModule, Global, Module } from '@nestjs/common';
import { OtherWork } from '../platform/queue/other-work.js';
import { type Config, CONFIG } from '../platform/config/config.js';
import { SystemClients } from './clients/system-clients.js';
import { ClientSecretHash } from './secrets/client-secret-hash.js';
import { HierarchyCache } from './locations/hierarchy-cache.js';
import { LoginSteps } from './sessions/login-steps.js';
import { NoticeOutbox } from './notices/notice-outbox.js';
import { Passwords } from './users/passwords.js';
import { RecoveryLinks } from './sessions/recovery-links.js';
import { Reseal } from './reseal.js';
import { previousSecretsKeyOf, SecretsBox, secretsKeyOf } from './secrets/secrets-box.js';
import { RefreshTokens, SessionFamilies } from './sessions/session-families.js';
import { RevokedTokens } from './sessions/revoked-tokens.js';
import { TokenIntrospection, TokenStanding } from './sessions/token-introspection.js';
import { ClientStatus } from './clients/client-status.js';
import { UnreadableShaSecrets } from './clients/sha-secrets.js';
import { AccessTokens } from './tokens/access-tokens.js';
import { IssuedTokens } from './tokens/issued-tokens.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { Roles } from './users/roles.js';
import { UserChanges } from './user-administration/user-changes.js';
import { UserDirectory } from './users/user-directory.js';
import { Users } from './users/users.js';
import { ClientAssertions, ClientLookUps } from './clients/client-assertions.js';
import { LoginController } from './sessions/login.controller.js';
import { Logins, SuperUser } from './sessions/logins.js';
import { Recoveries, RecoveryRequests } from './sessions/recoveries.js';
import { RecoveryController } from './sessions/recovery.controller.js';
import { OAuthController } from './oauth/oauth.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionUpkeep } from './sessions/session-upkeep.js';
import { TokenRevocation } from './sessions/token-revocation.js';
import { ClientAuthentication } from './clients/client-authentication.js';
import { SystemClientsController } from './clients/system-clients.controller.js';
import { WellKnownController } from './oauth/well-known.controller.js';
import { CountryConfiguration } from './tokens/country-configuration.js';
import { NoticeClaims, NoticeNotes } from './notices/notice-claims.js';
import { NoticeSender } from './notices/notice-sender.js';

/** For routes and commands. */
const SHARED = [
  AccessTokens,
  ClientSecretHash,
  ClientStatus,
  HierarchyCache,
  IssuedTokens,
  LoginSteps,
  NoticeOutbox,
  OtherWork,
  Passwords,
  RecoveryLinks,
  RefreshTokens,
  Reseal,
  RevokedTokens,
  Roles,
  SessionFamilies,
  SigningKeys,
  SystemClients,
  TokenStanding,
  UnreadableShaSecrets,
  UserChanges,
  UserDirectory,
  Users,
];

/** Sends auth's outbox of notices over its own connections, so that a blocked action delays no login codes. */
export const NOTICE_SENDER = [CountryConfiguration, NoticeClaims, NoticeNotes, NoticeSender];

/** Tokens, clients, users and their sessions. Needs `PlatformModule`. */
@Global()
@Module({
  providers: [
    {
      provide: SecretsBox,
      useFactory: (config: Config) => new SecretsBox(secretsKeyOf(config), previousSecretsKeyOf(config)),
      inject: [CONFIG],
    },
    ...SHARED,
  ],
  exports: [SecretsBox, ...SHARED],
})
export class AuthModule {
  /** With routes, upkeep and notices; commands take the class itself. Needs a global `FailedCredentialLimit`. */
  static forService(): DynamicModule {
    return {
      module: AuthModule,
      providers: [
        ClientAssertions,
        ClientAuthentication,
        ClientLookUps,
        Logins,
        SessionUpkeep,
        SuperUser,
        TokenIntrospection,
        TokenRevocation,
        Recoveries,
        RecoveryRequests,
        ...NOTICE_SENDER,
      ],
      controllers: [
        OAuthController,
        WellKnownController,
        SystemClientsController,
        LoginController,
        SessionsController,
        RecoveryController,
      ],
      exports: [NoticeSender],
    };
  }
}
