import { createPublicKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type CryptoKey, importPKCS8 } from 'jose';
import type { Actor } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ADVISORY_LOCKS } from '../../platform/database/connection/advisory-locks.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Followed } from '../../platform/database/connection/followed.js';
import type { Connections, Transaction } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/control-database.js';
import { Database } from '../../platform/database/pools/database.js';
import type { SigningKey } from '../../platform/database/schema/signing-key.entity.js';
import { sql } from '../../kernel/sql/sql.js';
import { SecretsBox } from '../secrets/secrets-box.js';
import { type KeyPair, keyPairOfPem, makeKeyPair } from './key-pair.js';
import { longestTokenSeconds } from './token-lifetime.js';

/**
 * The time between learning of a new key and signing with it, so that no process receives a token whose key it does not
 * know.
 */
const SETTLE_MS = 1_000;
/** How much longer than its last token an old key is accepted: clocks differ, and a process may learn late. */
const MARGIN_SECONDS = 60;

/** The public half of an accepted key, for verifiers of tokens. */
export interface PublicKey {
  readonly kid: string;
  readonly key: KeyObject;
  /** SPKI PEM. */
  readonly pem: string;
}

type StoredKey = Pick<SigningKey, 'kid' | 'publicKey' | 'privateKeySealed' | 'acceptedUntil'>;

interface LoadedKey extends PublicKey {
  readonly privateKey: CryptoKey;
  /** By the clock that nobody sets: else one that is put back would keep it from signing after the key before ends. */
  readonly signsFromMs: number;
  readonly acceptedUntilMs: number;
}

/**
 * The keys that sign access tokens and those that are still accepted, the same in every process (P-6, A-6). They are
 * stored in the database, sealed; the first is `JWT_PRIVATE_KEY`, or created by whichever process starts first.
 */
@Injectable()
export class SigningKeys implements OnModuleInit {
  /** Newest first. */
  private keys: readonly LoadedKey[] = [];
  private readonly changes: Followed;

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
    this.changes = new Followed(feed, 'signing_key_changed', () => this.load());
  }

  /**
   * Creates the first key if there is none, and loads all. Throws `SealedTextError` under a different `SECRETS_KEY`.
   */
  async onModuleInit(): Promise<void> {
    const stored = await this.control.query(sql`select from signing_key limit 1`);
    if (stored.length === 0) await this.makeFirst();
    await this.changes.refresh();
  }

  /** Resolves when the known keys are up to date: at once, or after asking the database. */
  current(): Promise<void> {
    return this.changes.current();
  }

  /** The key that signs. */
  signing(): { readonly kid: string; readonly privateKey: CryptoKey } {
    return this.signingKey();
  }

  /**
   * The key that verifies a token with this `kid`, while it is accepted. Our tokens all have one; a token without one
   * (G-3) can only come from a holder of the same private key, and is verified with the current signing key.
   */
  verification(kid: string | undefined, nowMs = Date.now()): KeyObject | undefined {
    if (kid === undefined) return this.signingKey().key;
    return this.accepted(kid, nowMs)?.key;
  }

  /** Until when tokens with this `kid` are accepted; undefined: they are not. */
  acceptedUntilMs(kid: string, nowMs: number): number | undefined {
    return this.accepted(kid, nowMs)?.acceptedUntilMs;
  }

  /**
   * The key that verifies a refresh token with this `kid`: an old one for as long as the last that it signed may live,
   * so that a rotation ends no session. Such a token is compared with its family besides, so a key that leaked opens
   * none.
   */
  refreshVerification(kid: string | undefined, nowMs = Date.now()): KeyObject | undefined {
    return kid === undefined
      ? undefined
      : this.verification(kid, nowMs - this.config.CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS * 1_000);
  }

  /** Every accepted key, the signing one first. */
  publicKeys(nowMs = Date.now()): readonly [PublicKey, ...PublicKey[]] {
    const signing = this.signingKey();
    return [signing, ...this.keys.filter((key) => key !== signing && key.acceptedUntilMs > nowMs)];
  }

  /**
   * Creates a new key, and resolves with its `kid`. The old one is accepted until the last token that it signed has
   * expired.
   */
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
    await this.changes.refresh();
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

  /** Changes the keys, in one process at a time, and notifies the others. */
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

  private async load(): Promise<void> {
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

/** The sealing purpose of a private key. */
export const purposeOfSigningKey = (kid: string): string => `signing key ${kid}`;
