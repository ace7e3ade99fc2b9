import { hash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { decodeProtectedHeader } from 'jose';
import { LRUCache } from 'lru-cache';

import type { Caller } from '../../access/caller.js';
import { ClientStatus } from '../../auth/system-clients/client-status.js';
import { SigningKeys } from '../../auth/token/signing-keys.js';
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
 * request. Everything that can change is checked each time: its times, its key, its client (G-3). Tokens are stored as
 * hashes only.
 */
@Injectable()
export class VerifiedTokens {
  /** By hash. */
  private readonly tokens = new LRUCache<string, VerifiedToken>({ max: MOST_TOKENS });

  constructor(
    @Inject(SigningKeys) private readonly keys: Pick<SigningKeys, 'verification' | 'current'>,
    @Inject(ClientStatus) private readonly clients: Pick<ClientStatus, 'isDeactivated' | 'current'>,
  ) {}

  /** Await before checking any token: while changes are not heard, the database is asked (G-3). */
  async current(): Promise<void> {
    await Promise.all([this.clients.current(), this.keys.current()]);
  }

  /** The caller of `token`, if it was verified before and is still valid; otherwise it must be verified. */
  callerOf(token: string, nowMs: number): Caller | undefined {
    const key = keyOf(token);
    const found = this.tokens.get(key);
    if (found === undefined) return undefined;
    if (this.isGood(found, nowMs)) return found.caller;
    this.tokens.delete(key);
    return undefined;
  }

  /** Whether a caller's client was deactivated or does not exist. */
  isRefused(caller: Caller): boolean {
    return caller.userType === 'system' && this.clients.isDeactivated(caller.subject);
  }

  /** `token` was just verified. One without `kid` is not stored: the key it needs changes with the keys. */
  add(token: string, claims: unknown, caller: Caller): void {
    const { kid } = decodeProtectedHeader(token);
    if (kid === undefined) return;
    this.tokens.set(keyOf(token), { kid, claims, caller });
  }

  private isGood({ kid, claims, caller }: VerifiedToken, nowMs: number): boolean {
    const isAccepted = this.keys.verification(kid, nowMs) !== undefined;
    return isAccepted && isInForce(claims, Math.floor(nowMs / 1_000)) && !this.isRefused(caller);
  }
}

const keyOf = (token: string): string => hash('sha256', token, 'base64url');
