import { Module } from '@nestjs/common';
import { OtherWork } from '../platform/queue/other-work.js';
import { AuditModule } from '../platform/audit.module.js';
import { type Config, CONFIG } from '../platform/config/config.js';
import { SystemClients } from './clients/system-clients.js';
import { ClientSecretHash } from './secrets/client-secret-hash.js';
import { HierarchyCache } from './locations/hierarchy-cache.js';
import { LoginSteps } from './sessions/login-steps.js';
import { NoticeOutbox } from './notices/notice-outbox.js';
import { Passwords } from './users/passwords.js';
import { PasswordResets, RecoveryLinks } from './sessions/recovery-links.js';
import { Reseal } from './reseal.js';
import { previousSecretsKeyOf, SecretsBox, secretsKeyOf } from './secrets/secrets-box.js';
import { RefreshTokens } from './sessions/refresh-tokens.js';
import { RevokedTokens } from './sessions/revoked-tokens.js';
import { SessionFamilies } from './sessions/session-families.js';
import { TokenStanding } from './sessions/token-standing.js';
import { ClientStatus } from './clients/client-status.js';
import { UnreadableShaSecrets } from './clients/sha-secrets.js';
import { AccessTokens } from './tokens/access-tokens.js';
import { IssuedTokens } from './tokens/issued-tokens.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { Roles } from './users/roles.js';
import { UserChanges, UserRegistration } from './user-administration/user-changes.js';
import { UserDirectory } from './users/user-directory.js';
import { UserPages, UserPosts, Users } from './users/users.js';

const SHARED = [
  AccessTokens,
  ClientSecretHash,
  ClientStatus,
  HierarchyCache,
  IssuedTokens,
  LoginSteps,
  NoticeOutbox,
  OtherWork,
  PasswordResets,
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
  UserPages,
  UserPosts,
  UserRegistration,
  Users,
];

/** Requires the global `DatabaseModule` and a global provider of `CONFIG`. */
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
