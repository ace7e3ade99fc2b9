import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { TokenStanding } from '../../auth/sessions/token-introspection.js';
import { type CallerClaims, isInForce } from '../../auth/tokens/access-claims.js';
import { SigningKeys } from '../../auth/tokens/signing-keys.js';
import { KIB } from '../../kernel/domain/bytes.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';

/** The content of `Authorization` in a request (G-3). */
type BearerCredentials =
  | { readonly kind: 'absent' }
  /** Something, but not one bearer token. */
  | { readonly kind: 'unusable' }
  | { readonly kind: 'token'; readonly token: string };

/** A scheme in any letter case, and a b64token. RFC 6750 2.1. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Reads the header from the raw headers, names and values alternating. */
export function bearerCredentials(rawHeaders: readonly string[]): BearerCredentials {
  const [header, ...others] = authorizationsOf(rawHeaders);
  if (header === undefined) return { kind: 'absent' };
  if (others.length > 0 || header.length > MOST_CHARACTERS) return { kind: 'unusable' };
  const token = BEARER.exec(header)?.[1];
  return token === undefined ? { kind: 'unusable' } : { kind: 'token', token };
}

const MOST_TOKENS = 10_000;

/** All tokens together, each as one more: some tens of megabytes, as a grant takes half a kilobyte. */
const MOST_GRANTS = 100_000;

/** No token of ours is nearly as long. */
const MOST_CHARACTERS = 16 * KIB;

/**
 * The `Authorization` headers of a request, from its raw headers, names and values alternating: Node drops the second of
 * two, and two of them are not one token.
 */
export const authorizationsOf = (rawHeaders: readonly string[]): readonly string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization');

/** A token whose signature was verified. */
interface VerifiedToken {
  /** The key that verified the token. */
  readonly kid: string | undefined;
  readonly claims: CallerClaims;
  readonly caller: Caller;
}

interface KnownToken extends VerifiedToken {
  readonly kid: string;
  checked: Checked | undefined;
}

/** The caller between two points in time, as long as nothing is read anew. */
interface Checked {
  readonly caller: Caller;
  readonly atMs: number;
  readonly untilMs: number;
  /** `ChangeFeed.readings`. */
  readonly readings: number;
}

/**
 * Caches verified access tokens with their callers. Times, the key and `TokenStanding` can change (G-3, U-7): they are
 * in memory, and checked again when any was read again or the time is over. Tokens are stored as hashes only.
 */
@Injectable()
export class VerifiedTokens {
  /** By hash. */
  private readonly tokens = new LRUCache<string, KnownToken>({
    max: MOST_TOKENS,
    maxSize: MOST_GRANTS,
    sizeCalculation: ({ caller }) => 1 + caller.grants.length,
  });

  constructor(
    @Inject(SigningKeys) private readonly keys: Pick<SigningKeys, 'acceptedUntilMs' | 'current'>,
    private readonly standing: TokenStanding,
    @Inject(ChangeFeed) private readonly feed: Pick<ChangeFeed, 'isFollowing' | 'readings'>,
  ) {}

  /** Await before checking any token: while changes are not heard, the database is asked (G-3). */
  async current(): Promise<void> {
    // All of them follow this feed.
    if (!this.feed.isFollowing) await Promise.all([this.keys.current(), this.standing.current()]);
  }

  /** The caller of `token`, if it was verified before and is still valid; otherwise it must be verified. */
  callerOf(token: string, nowMs: number): Caller | undefined {
    if (token.length > MOST_CHARACTERS) return undefined;
    const key = keyOf(token);
    const found = this.tokens.get(key);
    if (found === undefined) return undefined;
    found.checked = holds(found.checked, this.feed.readings, nowMs) ? found.checked : this.checkedNow(found, nowMs);
    if (found.checked === undefined) this.tokens.delete(key);
    return found.checked?.caller;
  }

  /** As `TokenStanding.admit`. */
  admit(claims: CallerClaims, caller: Caller): Promise<Caller | undefined> {
    return this.standing.admit(claims, caller);
  }

  /** `token` was just verified. One without `kid` is not stored: the key it needs changes with the keys. */
  add(token: string, { kid, ...verified }: VerifiedToken): void {
    if (kid !== undefined) this.tokens.set(keyOf(token), { kid, ...verified, checked: undefined });
  }

  /** Undefined if the token is not good any more. */
  private checkedNow({ kid, claims, caller }: KnownToken, nowMs: number): Checked | undefined {
    const acceptedUntilMs = this.keys.acceptedUntilMs(kid, nowMs);
    if (acceptedUntilMs === undefined || !isInForce(claims, Math.floor(nowMs / 1_000))) return undefined;
    const callerNow = this.standing.callerNow(claims, caller);
    if (callerNow === undefined) return undefined;
    const untilMs = Math.min(acceptedUntilMs, Math.ceil(claims.exp) * 1_000);
    return { caller: callerNow, atMs: nowMs, untilMs, readings: this.feed.readings };
  }
}

/** Not if the clock was put back, either: a token may not be in force yet. */
const holds = (checked: Checked | undefined, readings: number, nowMs: number): checked is Checked =>
  checked !== undefined && checked.readings === readings && checked.atMs <= nowMs && nowMs < checked.untilMs;

const keyOf = (token: string): string => hash('sha256', token, 'base64url');
