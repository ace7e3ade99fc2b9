import { createHmac } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { ClientSecretHash } from '../../auth/secrets/client-secret-hash.js';
import { equalInConstantTime } from '../../auth/secrets/equal-in-constant-time.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

const PURPOSE = 'addresses of files';

export interface SignedQuery {
  readonly expires?: unknown;
  readonly signature?: unknown;
}

/** Signed, expiring addresses (F-3). */
@Injectable()
export class SignedAddress {
  constructor(private readonly keys: ClientSecretHash) {}

  /** Path and query. */
  async of(id: Uuid, seconds: number, nowMs: number): Promise<string> {
    const expires = String(Math.floor(nowMs / 1_000) + seconds);
    return `/files/${id}?expires=${expires}&signature=${await this.signatureOf(id, expires)}`;
  }

  /** Whether the signature is valid and unexpired, in constant time. */
  async isGood(id: string, { expires, signature }: SignedQuery, nowMs: number): Promise<boolean> {
    if (typeof expires !== 'string' || typeof signature !== 'string') return false;
    const isSigned = equalInConstantTime(await this.signatureOf(id, expires), signature);
    return isSigned && nowMs < Number(expires) * 1_000;
  }

  private async signatureOf(id: string, expires: string): Promise<string> {
    return createHmac('sha256', await this.keys.keyFor(PURPOSE))
      .update(`${id} ${expires}`)
      .digest('base64url');
  }
}
