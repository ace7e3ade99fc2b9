import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { calculateJwkThumbprint, type CryptoKey, importPKCS8, type JWTPayload, SignJWT } from 'jose';
import { sql } from '../../kernel/sql/sql.js';
import type { Actor } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ADVISORY_LOCKS } from '../../platform/database/connection/advisory-locks.js';
import { ChangeFeed, Followed } from '../../platform/database/connection/change-feed.js';
import type { Connections, Transaction } from '../../platform/database/pools/connections.js';
import { Database } from '../../platform/database/pools/database.js';
import { ControlDatabase } from '../../platform/database/pools/pools.js';
import { SecretsBox } from '../secrets/secrets-box.js';
import { longestTokenSeconds } from './access-claims.js';

const MODULUS_BITS = 2048;

export interface KeyPair {
  readonly kid: string;
  /** SPKI PEM. */
  readonly publicKey: string;
  /** PKCS#8 PEM. */
  readonly privateKey: string;
}

async function makeKeyPair(): Promise<KeyPair> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  return keyPairOf(privateKey);
}

const keyPairOfPem = (pem: string): Promise<KeyPair> => keyPairOf(createPrivateKey(pem));

async function keyPairOf(privateKey: KeyObject): Promise<KeyPair> {
  const publicKey = createPublicKey(privateKey);
  return {
    kid: await calculateJwkThumbprint(publicKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Delay before a new key signs, so that every process knows it first. */
const SETTLE_MS = 1_000;
/** Extra acceptance of old keys, for clock differences and late notifications. */
const MARGIN_SECONDS = 60;

export interface PublicKey {
  readonly kid: string;
  readonly key: KeyObject;
  /** SPKI PEM. */
  readonly pem: string;
}

interface StoredKey {
  readonly kid: string;
  readonly publicKey: string;
  readonly privateKeySealed: string;
  /** Null for the signing key. */
  readonly acceptedUntil: Date | null;
}

interface LoadedKey extends PublicKey {
  readonly privateKey: CryptoKey;
  /** Monotonic: a clock set back must not delay signing past the previous key's end. */
  readonly signsFromMs: number;
  readonly acceptedUntilMs: number;
}

/** Signing and accepted keys, stored sealed (P-6, A-6). The first is `JWT_PRIVATE_KEY`, or generated. */
@Injectable()
export class SigningKeys extends Followed implements OnModuleInit {
  /** Newest first. */
  private keys: readonly LoadedKey[] = [];

  constructor(
    private readonly database: Database,
    @Inject(ControlDatabase) private readonly control: Connections,
    private readonly box: SecretsBox,
    @Inject(CONFIG)
    private readonly config: Pick<
      Config,
      'JWT_PRIVATE_KEY' | 'ALLOW_LONG_TOKENS' | 'CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS'
    >,
    feed: ChangeFeed,
    private readonly audit: AuditLog,
  ) {
    super(feed, 'signing_key_changed');
  }

  /** Creates the first key if needed. Throws `SealedTextError` under a different `SECRETS_KEY`. */
  async onModuleInit(): Promise<void> {
    const stored = await this.control.query(sql`select from signing_key limit 1`);
    if (stored.length === 0) await this.makeFirst();
    await this.refresh();
  }

  signing(): { readonly kid: string; readonly privateKey: CryptoKey } {
    return this.signingKey();
  }

  /** While accepted. Tokens without `kid` (G-3) come from a holder of the same private key, and use the current key. */
  verification(kid: string | undefined, nowMs = Date.now()): KeyObject | undefined {
    if (kid === undefined) return this.signingKey().key;
    return this.accepted(kid, nowMs)?.key;
  }

  /** Undefined: not accepted. */
  acceptedUntilMs(kid: string, nowMs: number): number | undefined {
    return this.accepted(kid, nowMs)?.acceptedUntilMs;
  }

  /** An old key verifies refresh tokens until its last one expires, so that a rotation ends no session. */
  refreshVerification(kid: string | undefined, nowMs = Date.now()): KeyObject | undefined {
    return kid === undefined
      ? undefined
      : this.verification(kid, nowMs - this.config.CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS * 1_000);
  }

  /** Signing key first. */
  publicKeys(nowMs = Date.now()): readonly [PublicKey, ...PublicKey[]] {
    const signing = this.signingKey();
    return [signing, ...this.keys.filter((key) => key !== signing && key.acceptedUntilMs > nowMs)];
  }

  /** Returns the new `kid`. The old key is accepted until its last token expires. */
  async rotate(by: Actor): Promise<string> {
    const made = await makeKeyPair();
    const acceptedSeconds = longestTokenSeconds(this.config) + MARGIN_SECONDS;
    await this.change(async (transaction) => {
      await transaction.query(
        sql`delete from signing_key
            where accepted_until < clock_timestamp() - make_interval(secs => ${this.config.CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS})`,
      );
      await transaction.query(
        sql`update signing_key set accepted_until = clock_timestamp() + make_interval(secs => ${acceptedSeconds})
            where accepted_until is null`,
      );
      await this.insert(transaction, made);
      const responseSummary = { kid: made.kid };
      await this.audit.record(transaction, { ...by, operation: 'keys.rotate', requestData: {}, responseSummary });
    });
    await this.refresh();
    return made.kid;
  }

  private accepted(kid: string, nowMs: number): LoadedKey | undefined {
    return this.keys.find((key) => key.kid === kid && key.acceptedUntilMs > nowMs);
  }

  private signingKey(): LoadedKey {
    const nowMs = performance.now();
    const key = this.keys.find(({ signsFromMs }) => signsFromMs <= nowMs) ?? this.keys[0];
    if (key === undefined) throw new Error('the signing keys are not loaded');
    return key;
  }

  private makeFirst(): Promise<void> {
    return this.change(async (transaction) => {
      const found = await transaction.query(sql`select from signing_key limit 1`);
      if (found.length > 0) return;
      const given = this.config.JWT_PRIVATE_KEY;
      await this.insert(transaction, await (given === undefined ? makeKeyPair() : keyPairOfPem(given.reveal())));
    });
  }

  /** Serializes key changes across processes, and notifies them. */
  private change(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.signingKey})`);
      await work(transaction);
      await transaction.query(sql`select pg_notify('signing_key_changed', '')`);
    });
  }

  private async insert(transaction: Transaction, { kid, publicKey, privateKey }: KeyPair): Promise<void> {
    const sealed = this.box.seal(privateKey, purposeOfSigningKey(kid));
    await transaction.query(
      sql`insert into signing_key (kid, public_key, private_key_sealed) values (${kid}, ${publicKey}, ${sealed})`,
    );
  }

  protected async load(): Promise<void> {
    const rows = await this.control.query<StoredKey>(
      sql`select kid, public_key as "publicKey", private_key_sealed as "privateKeySealed", accepted_until as "acceptedUntil"
          from signing_key order by accepted_until desc nulls first`,
    );
    const signsFromMs = this.keys.length === 0 ? 0 : performance.now() + SETTLE_MS;
    this.keys = await Promise.all(rows.map((row) => this.loaded(row, signsFromMs)));
  }

  private async loaded(row: StoredKey, signsFromMs: number): Promise<LoadedKey> {
    const { kid, publicKey: pem, privateKeySealed, acceptedUntil } = row;
    const acceptedUntilMs = acceptedUntil?.getTime() ?? Infinity;
    const known = this.keys.find((key) => key.kid === kid);
    if (known !== undefined) return { ...known, acceptedUntilMs };
    const privateKey = await importPKCS8(this.box.open(privateKeySealed, purposeOfSigningKey(kid)), 'RS256');
    return { kid, pem, key: createPublicKey(pem), privateKey, signsFromMs, acceptedUntilMs };
  }
}

export const purposeOfSigningKey = (kid: string): string => `signing key ${kid}`;

/** RS256 under the current signing key. */
export async function signToken(keys: Pick<SigningKeys, 'current' | 'signing'>, claims: JWTPayload): Promise<string> {
  await keys.current();
  const { kid, privateKey } = keys.signing();
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid }).sign(privateKey);
}
