import { Module } from '@nestjs/common';

import { OtherWork } from '../access/other-work.js';
import { AuditModule } from '../audit/audit.module.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.js';
import { RegisteredKeys } from './assertions/registered-keys.js';
import { ClientSecretHash } from './client-secret-hash.js';
import { LoginSteps } from './login/login-steps.js';
import { NoticeOutbox } from './notices/notice-outbox.js';
import { Passwords } from './passwords/passwords.js';
import { PasswordResets } from './recovery/password-resets.js';
import { RecoveryLinks } from './recovery/recovery-links.js';
import { Reseal } from './reseal.js';
import { previousSecretsKeyOf, secretsKeyOf } from './secrets-key.js';
import { SecretsBox } from './secrets-box.js';
import { RefreshTokens } from './sessions/refresh-tokens.js';
import { RevokedTokens } from './sessions/revoked-tokens.js';
import { SessionFamilies } from './sessions/session-families.js';
import { TokenStanding } from './sessions/token-standing.js';
import { ClientStatus } from './system-clients/client-status.js';
import { SystemClients } from './system-clients/system-clients.js';
import { UnreadableShaSecrets } from './system-clients/unreadable-sha-secrets.js';
import { AccessTokens } from './token/access-tokens.js';
import { IssuedTokens } from './token/issued-tokens.js';
import { SigningKeys } from './signing-keys/signing-keys.js';
import { Roles } from './users/roles.js';
import { UserChanges } from './users/user-changes.js';
import { UserDirectory } from './users/user-directory.js';
import { UserPages } from './users/user-pages.js';
import { UserPosts } from './users/user-posts.js';
import { UserRegistration } from './users/user-registration.js';
import { Users } from './users/users.js';

/** What other modules and the command line get. */
const SHARED = [
  AccessTokens,
  ClientSecretHash,
  ClientStatus,
  IssuedTokens,
  LoginSteps,
  NoticeOutbox,
  OtherWork,
  PasswordResets,
  Passwords,
  RecoveryLinks,
  RefreshTokens,
  RegisteredKeys,
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
  UserPages,
  UserPosts,
  UserRegistration,
  Users,
];

/**
 * Clients, keys and tokens, for every module and the command line. Needs the global `DatabaseModule` and a global
 * provider of `CONFIG`.
 */
@Module({
  imports: [AuditModule],
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
export class AuthModule {}
