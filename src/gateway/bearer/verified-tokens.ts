import { hash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { decodeProtectedHeader } from 'jose';
import { LRUCache } from 'lru-cache';

import type { Caller } from '../../access/caller.js';
import { ClientStatus } from '../../auth/system-clients/client-status.js';
import { SigningKeys } from '../../auth/token/signing-keys.js';
import { UserDirectory } from '../../auth/users/user-directory.js';
import { sessionUserOf, userNow } from './session-user.js';
import { isInForce } from './token-time.js';

/** Some tens of megabytes at most. */
const MOST_TOKENS = 10_000;

interface VerifiedToken {
  readonly kid: string;
  readonly claims: unknown;
  readonly caller: Caller;
}

/**
 * Access tokens whose signature was verified, with their callers, so that a token is verified once and not with every
 * request. Everything that can change is checked each time: its times, its key, its client or its user, whose role and
 * office are those of now (G-3, U-7). Tokens are stored as hashes only.
 */
@Injectable()
export class VerifiedTokens {
  /** By hash. */
  private readonly tokens = new LRUCache<string, VerifiedToken>({ max: MOST_TOKENS });

  constructor(
    @Inject(SigningKeys) private readonly keys: Pick<SigningKeys, 'verification' | 'current'>,
    @Inject(ClientStatus) private readonly clients: Pick<ClientStatus, 'isDeactivated' | 'current'>,
    @Inject(UserDirectory) private readonly users: Pick<UserDirectory, 'find' | 'current' | 'refresh'>,
  ) {}

  /** Await before checking any token: while changes are not heard, the database is asked (G-3). */
  async current(): Promise<void> {
    await Promise.all([this.clients.current(), this.keys.current(), this.users.current()]);
  }

  /** The caller of `token`, if it was verified before and is still valid; otherwise it must be verified. */
  callerOf(token: string, nowMs: number): Caller | undefined {
    const key = keyOf(token);
    const found = this.tokens.get(key);
    if (found === undefined) return undefined;
    const caller = this.isGood(found, nowMs) ? this.callerNow(found.claims, found.caller) : undefined;
    if (caller === undefined) this.tokens.delete(key);
    return caller;
  }

  /**
   * The caller of a token that was just verified, as he is now; undefined if his client was deactivated or does not
   * exist, or the user of a session is not active. A user whom another process has just created is looked up.
   */
  async admit(claims: unknown, caller: Caller): Promise<Caller | undefined> {
    const userId = sessionUserOf(claims);
    if (userId !== undefined && this.users.find(userId) === undefined) await this.users.refresh();
    return this.callerNow(claims, caller);
  }

  /** `token` was just verified. One without `kid` is not stored: the key it needs changes with the keys. */
  add(token: string, claims: unknown, caller: Caller): void {
    const { kid } = decodeProtectedHeader(token);
    if (kid === undefined) return;
    this.tokens.set(keyOf(token), { kid, claims, caller });
  }

  private isGood({ kid, claims }: VerifiedToken, nowMs: number): boolean {
    return this.keys.verification(kid, nowMs) !== undefined && isInForce(claims, Math.floor(nowMs / 1_000));
  }

  private callerNow(claims: unknown, caller: Caller): Caller | undefined {
    const userId = sessionUserOf(claims);
    if (userId !== undefined) return userNow(caller, this.users.find(userId));
    return caller.userType === 'system' && this.clients.isDeactivated(caller.subject) ? undefined : caller;
  }
}

const keyOf = (token: string): string => hash('sha256', token, 'base64url');
