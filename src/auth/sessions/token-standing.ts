import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { ClientStatus } from '../clients/client-status.js';
import type { CallerClaims } from '../tokens/access-claims.js';
import { type KnownUser, UserDirectory } from '../users/user-directory.js';
import { RevokedTokens } from './revoked-tokens.js';

/**
 * What has become of an access token since it was signed: whether it was revoked, or its session has ended; whether its
 * client is active; and what the user of its session may do now (G-3, U-7). All of it is known in memory.
 */
@Injectable()
export class TokenStanding {
  constructor(
    @Inject(ClientStatus)
    private readonly clients: Pick<ClientStatus, 'isDeactivated' | 'holdings' | 'current' | 'refresh'>,
    @Inject(UserDirectory) private readonly users: Pick<UserDirectory, 'find' | 'current' | 'refresh'>,
    @Inject(RevokedTokens) private readonly revoked: Pick<RevokedTokens, 'isRevoked' | 'current'>,
  ) {}

  /** Await before anything else: while changes are not heard, the database is asked (G-3). */
  async current(): Promise<void> {
    await Promise.all([this.clients.current(), this.users.current(), this.revoked.current()]);
  }

  /** The caller of a token that was verified, as he is now; undefined if the token is not good any more. */
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

  /** The same for one that was just verified: a user or client that another process has just created is looked up. */
  async admit(claims: CallerClaims, caller: Caller): Promise<Caller | undefined> {
    if (claims.kind === 'session') {
      if (this.users.find(claims.userId) === undefined) await this.users.refresh();
    } else if (claims.kind === 'client' && this.clients.isDeactivated(claims.sub) && isJustIssued(claims)) {
      await this.clients.refresh();
    }
    return this.callerNow(claims, caller);
  }
}

/** Longer than a process takes to hear of a client. Who is refused later is not looked up with each request. */
const HEARD_OF_SECONDS = 10;

const isJustIssued = ({ iat }: CallerClaims): boolean =>
  iat !== undefined && iat > Date.now() / 1_000 - HEARD_OF_SECONDS;

/**
 * The caller of a session as he is now, whatever the token says: with the scopes of his role, and in his office (U-7).
 * Undefined unless he is active.
 */
function userNow(subject: string, user: KnownUser | undefined): Caller | undefined {
  if (user?.status !== 'active') return undefined;
  const { role, scopes, grants, officeId: office } = user;
  return { subject, userType: 'user', office, role, scopes, grants };
}
