import { decodeJwt } from 'jose';

import type { SessionTokens } from '../../../src/auth/sessions/session-families.js';
import type { Uuid } from '../../../src/kernel/domain/uuid.js';

/**
 * Of the services that the model is compared with: as long as they may be, as time passes by `STEPS` alone. No sum of
 * steps comes nearer to either than some minutes, which no machine takes for all commands of a run.
 */
export const GRACE_SECONDS = 600;
export const EXPIRY_SECONDS = 10_200;
export const STEPS = [400, 800, 10_400] as const;

/** A session as it should be: every pair that it has had, the newest last. */
export interface ModelFamily {
  readonly id: string;
  readonly userId: Uuid;
  /** One for each rotation; what the pairs of one state have in common is the id of their refresh token. */
  readonly states: SessionTokens[];
  readonly accessTokens: string[];
  rotatedAt: number;
  expiresAt: number;
  hasEnded: boolean;
  /** Both processes refused its access tokens, and have to from then on. */
  isRefused: boolean;
}

export const jtiOf = (token: string): string => String(decodeJwt(token).jti);

/** Users' sessions without a database or tokens of their own: what U-3 and U-7 say, in so many words. */
export class SessionModel {
  readonly families: ModelFamily[] = [];
  readonly deactivated = new Set<Uuid>();
  /** In seconds. */
  now = 0;

  begin(userId: Uuid, tokens: SessionTokens): void {
    this.families.push({
      id: String(decodeJwt(tokens.token)['sid']),
      userId,
      states: [tokens],
      accessTokens: [tokens.token],
      rotatedAt: -Infinity,
      expiresAt: this.now + EXPIRY_SECONDS,
      hasEnded: false,
      isRefused: false,
    });
  }

  isAlive({ hasEnded, expiresAt }: ModelFamily): boolean {
    return !hasEnded && expiresAt > this.now;
  }

  /** What the refresh token of a family's state, counted from the newest, is good for. */
  meaning(family: ModelFamily, back: number): 'rotates' | 'same state' | 'reuse' | 'nothing' {
    if (!this.isAlive(family)) return 'nothing';
    if (back === 0) return 'rotates';
    return back === 1 && family.rotatedAt > this.now - GRACE_SECONDS ? 'same state' : 'reuse';
  }

  rotate(family: ModelFamily, tokens: SessionTokens): void {
    family.states.push(tokens);
    family.rotatedAt = this.now;
    family.expiresAt = this.now + EXPIRY_SECONDS;
  }

  /** The ids of the refresh tokens that are good. */
  good(family: ModelFamily): readonly string[] {
    return family.states
      .map(({ refreshToken }, at) => ({ refreshToken, back: family.states.length - 1 - at }))
      .filter(({ back }) => ['rotates', 'same state'].includes(this.meaning(family, back)))
      .map(({ refreshToken }) => jtiOf(refreshToken));
  }

  end(families: readonly ModelFamily[]): void {
    for (const family of families) if (this.isAlive(family)) family.hasEnded = true;
  }
}
