import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { ClientStatus } from '../clients/client-status.js';
import type { CallerClaims } from '../tokens/access-claims.js';
import { type KnownUser, UserDirectory } from '../users/user-directory.js';
import { RevokedTokens } from './revoked-tokens.js';

/** Standing of an access token, from memory: revocation, session, client, and the user's permissions (G-3, U-7). */
@Injectable()
export class TokenStanding {
  constructor(
    @Inject(ClientStatus)
    private readonly clients: Pick<ClientStatus, 'isDeactivated' | 'holdings' | 'current' | 'refresh'>,
    @Inject(UserDirectory) private readonly users: Pick<UserDirectory, 'find' | 'current' | 'refresh'>,
    @Inject(RevokedTokens) private readonly revoked: Pick<RevokedTokens, 'isRevoked' | 'current'>,
  ) {}

  /** Await first: the database is read while the change feed is down (G-3). */
  async current(): Promise<void> {
    await Promise.all([this.clients.current(), this.users.current(), this.revoked.current()]);
  }

  /** Undefined if the token is no longer good. */
  callerNow(claims: CallerClaims, caller: Caller): Caller | undefined {
    if (this.revoked.isRevoked(claims)) return undefined;
    switch (claims.kind) {
      case 'session':
        return userNow(claims.sub, this.users.find(claims.userId));
      case 'client':
        return this.clients.isDeactivated(claims.sub) ? undefined : this.ofClient(caller);
      case 'service':
      case 'user':
        return caller;
    }
  }

  private ofClient(caller: Caller): Caller {
    const all = this.clients.holdings(caller.subject);
    const isNarrowed = all?.scopes.some((scope) => !caller.scopes.includes(scope)) === true;
    return isNarrowed ? { ...caller, narrowedFrom: all } : caller;
  }

  /** Also looks up users and clients that another process just created. */
  async admit(claims: CallerClaims, caller: Caller): Promise<Caller | undefined> {
    if (claims.kind === 'session') {
      if (this.users.find(claims.userId) === undefined) await this.users.refresh();
    } else if (claims.kind === 'client' && this.clients.isDeactivated(claims.sub) && isJustIssued(claims)) {
      await this.clients.refresh();
    }
    return this.callerNow(claims, caller);
  }
}

/** Longer than change propagation; older tokens cause no look-up. */
const HEARD_OF_SECONDS = 10;

const isJustIssued = ({ iat }: CallerClaims): boolean =>
  iat !== undefined && iat > Date.now() / 1_000 - HEARD_OF_SECONDS;

/** With current role scopes and office (U-7); undefined unless active. */
function userNow(subject: string, user: KnownUser | undefined): Caller | undefined {
  if (user?.status !== 'active') return undefined;
  const { role, scopes, grants, officeId: office } = user;
  return { subject, userType: 'user', office, role, scopes, grants };
}
