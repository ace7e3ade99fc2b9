import { hash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { decodeProtectedHeader } from 'jose';
import { LRUCache } from 'lru-cache';

import type { Caller } from '../../access/caller.js';
import { TokenStanding } from '../../auth/sessions/token-standing.js';
import { SigningKeys } from '../../auth/signing-keys/signing-keys.js';
import type { CallerClaims } from '../../auth/token/access-claims.js';
import { isInForce } from '../../auth/token/token-time.js';

/** Some tens of megabytes at most. */
const MOST_TOKENS = 10_000;

interface VerifiedToken {
  readonly kid: string;
  readonly claims: CallerClaims;
  readonly caller: Caller;
}

/**
 * Access tokens whose signature was verified, with their callers, so that a token is verified once and not with every
 * request. Everything that can change is checked each time: its times, its key, and what `TokenStanding` tells of it
 * (G-3, U-7). Tokens are stored as hashes only.
 */
@Injectable()
export class VerifiedTokens {
  /** By hash. */
  private readonly tokens = new LRUCache<string, VerifiedToken>({ max: MOST_TOKENS });

  constructor(
    @Inject(SigningKeys) private readonly keys: Pick<SigningKeys, 'verification' | 'current'>,
    private readonly standing: TokenStanding,
  ) {}

  /** Await before checking any token: while changes are not heard, the database is asked (G-3). */
  async current(): Promise<void> {
    await Promise.all([this.keys.current(), this.standing.current()]);
  }

  /** The caller of `token`, if it was verified before and is still valid; otherwise it must be verified. */
  callerOf(token: string, nowMs: number): Caller | undefined {
    const key = keyOf(token);
    const found = this.tokens.get(key);
    if (found === undefined) return undefined;
    const caller = this.isGood(found, nowMs) ? this.standing.callerNow(found.claims, found.caller) : undefined;
    if (caller === undefined) this.tokens.delete(key);
    return caller;
  }

  /** As `TokenStanding.admit`. */
  admit(claims: CallerClaims, caller: Caller): Promise<Caller | undefined> {
    return this.standing.admit(claims, caller);
  }

  /** `token` was just verified. One without `kid` is not stored: the key it needs changes with the keys. */
  add(token: string, claims: CallerClaims, caller: Caller): void {
    const { kid } = decodeProtectedHeader(token);
    if (kid === undefined) return;
    this.tokens.set(keyOf(token), { kid, claims, caller });
  }

  private isGood({ kid, claims }: VerifiedToken, nowMs: number): boolean {
    return this.keys.verification(kid, nowMs) !== undefined && isInForce(claims, Math.floor(nowMs / 1_000));
  }
}

const keyOf = (token: string): string => hash('sha256', token, 'base64url');
