import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Database } from '../../platform/database/pools/database.js';
import { parseUuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import type { AuthenticatedClient } from '../clients/client-authentication.js';
import type { AccessClaims } from '../tokens/access-claims.js';
import { IssuedTokens } from '../tokens/issued-tokens.js';
import { invalidRequest, OAuthError } from '../tokens/token-parameters.js';
import { type Admission, type RefreshClaims, RefreshTokens, SessionFamilies } from './session-families.js';
import { RevokedTokens, revokeToken } from './revoked-tokens.js';

/** Some revoked tokens have probably expired by then. */
const RETRY_AFTER_SECONDS = '60';

/** Ends tokens early: for their holder, and for clients by RFC 7009 (U-10). */
@Injectable()
export class TokenRevocation {
  constructor(
    private readonly issued: IssuedTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly families: SessionFamilies,
    private readonly revoked: RevokedTokens,
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly feed: ChangeFeed,
  ) {}

  /** Ends the session of either token, or the access token itself. 429 for a subject with too many. */
  async end(token: string, now: Date, admit: Admission): Promise<void> {
    const refresh = await this.refreshTokens.read(token, now);
    if (refresh !== undefined) {
      await this.endSession(refresh, admit);
      return;
    }
    const claims = await this.issued.accessClaims(token, now);
    if (claims === undefined) return;
    const [familyId, userId] = [claims.sid, parseUuid(claims.sub)];
    const isOfSession = familyId !== undefined && userId !== undefined;
    // A failover may have lost the session but not its token.
    if (!isOfSession || !(await this.endSession({ familyId, userId }, admit))) await this.revokeAccess(claims, now);
  }

  /** RFC 7009. `invalid_request` for another's token, `unsupported_token_type` for one without an id. */
  async revoke({ clientId }: AuthenticatedClient, token: string): Promise<OAuthError | undefined> {
    const now = new Date();
    const claims = await this.issued.accessClaims(token, now);
    const isRefreshToken = claims === undefined && (await this.refreshTokens.read(token, now)) !== undefined;
    if (isRefreshToken || (claims !== undefined && (claims.sub !== clientId || claims.userType !== 'system'))) {
      return invalidRequest('the token was issued to another');
    }
    if (claims === undefined) return undefined;
    const isRevocable = await this.revokeAccess(claims, now);
    return isRevocable ? undefined : new OAuthError('unsupported_token_type', 'the token has no jti');
  }

  /** Known ended sessions need no query. */
  private async endSession(session: Pick<RefreshClaims, 'familyId' | 'userId'>, admit: Admission): Promise<boolean> {
    await this.revoked.current();
    if (this.revoked.isRevoked({ sid: session.familyId })) return true;
    await admit(session.familyId);
    return this.families.end(session);
  }

  /** False for a token without an id. */
  private async revokeAccess(claims: AccessClaims, now: Date): Promise<boolean> {
    const { tokenId: jti, sub: subject = '', exp: expiresAtSeconds } = claims;
    if (jti === undefined) return false;
    await this.revoked.current();
    if (this.revoked.isRevoked(claims)) return true;
    const isRevoked = await this.database.transaction(async (transaction) => {
      const added = await revokeToken(transaction, { jti, subject, expiresAtSeconds, now }, this.revoked.mostOfOne);
      const clientType = claims.userType === 'system' ? 'system' : 'user';
      if (added) {
        await this.audit.record(transaction, {
          clientId: subject,
          clientType,
          operation: 'auth.revoke',
          requestData: { jti },
          responseSummary: null,
        });
      }
      return added;
    });
    if (!isRevoked) throw tooMany();
    await this.feed.heed('token_revoked');
    return true;
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('TOO_MANY_REQUESTS', 'Too many tokens of the same subject are revoked. Try again later.', {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
    refusal: 'tokens-revoked',
  });
