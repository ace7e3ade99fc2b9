import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/audit/audit-entry.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { equalInConstantTime } from '../secrets/equal-in-constant-time.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { Users } from '../users/users.js';

const SUPER_USER: Actor = { clientId: 'super-user', clientType: 'user' };

/** Set-up access until a national administrator has existed (U-8). */
@Injectable()
export class SuperUser {
  constructor(
    private readonly users: Users,
    private readonly tokens: AccessTokens,
    @Inject(CONFIG) private readonly config: Pick<Config, 'SUPER_USER_PASSWORD' | 'CONFIG_TOKEN_EXPIRY_SECONDS'>,
  ) {}

  /**
   * National administrator's token for `SUPER_USER_PASSWORD`. Undefined, after the same work, for a wrong or
   * unconfigured password, and after set-up.
   */
  async authenticate(password: string, now: Date): Promise<string | undefined> {
    const isComplete = await this.users.hadNationalAdministrator();
    const expected = this.config.SUPER_USER_PASSWORD;
    const isRight = equalInConstantTime(password, expected?.reveal() ?? '') && expected !== undefined;
    if (isComplete || !isRight) return undefined;
    return this.tokens.administratorToken(
      {
        role: 'national-system-admin',
        subject: SUPER_USER.clientId,
        ttlSeconds: this.config.CONFIG_TOKEN_EXPIRY_SECONDS,
        by: SUPER_USER,
        operation: 'auth.superUserLogin',
      },
      now,
    );
  }
}
