import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { ClientSecretHash } from '../secrets/client-secret-hash.js';

/** A login, or the recovery of a password or user name. */
export type LoginFlow = 'login' | 'password' | 'username';

/** Attempts per step, including resends (U-7). */
const MOST_ATTEMPTS = 5;
/** Resends of a code (U-7). */
const MOST_RESENDS = 3;
/** Open steps per user and flow. Used-up ones count until expiry: starting anew gives no more attempts. */
const MOST_OPEN = 10;

const NONCE_BYTES = 16;

export interface NewStep {
  readonly flow: LoginFlow;
  readonly userId: Uuid;
  /** Only its keyed hash is stored. */
  readonly code?: string;
  readonly questionKey?: string;
  /** Whether nothing is left to verify. */
  readonly passed?: boolean;
}

export interface LoginStep {
  readonly userId: Uuid;
  readonly flow: LoginFlow;
  /** Null: no code is awaited. */
  readonly codeHash: Buffer | null;
  /** Null: no answer is awaited. */
  readonly questionKey: string | null;
  readonly passed: boolean;
}

const LOGIN_STEP = sql`user_id as "userId", flow, code_hash as "codeHash", question_key as "questionKey", passed`;

/** State of a nonce between requests, by keyed hashes. Each change is one statement: concurrency gains nothing. */
@Injectable()
export class LoginSteps {
  constructor(
    private readonly database: Database,
    private readonly hashes: ClientSecretHash,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CONFIG_SMS_CODE_EXPIRY_SECONDS'>,
  ) {}

  /**
   * Returns the nonce. Throws 429 with `Retry-After` for too many open steps, 401 for an unknown or deactivated user.
   */
  async begin(transaction: Queryable, { flow, userId, code, questionKey, passed }: NewStep): Promise<string> {
    const [found] = await transaction.query(sql`
      select from user_account where user_id = ${userId} and status <> 'deactivated' for no key update`);
    if (found === undefined) throw new ServiceError('UNAUTHORIZED', 'The user is not active');
    const [full] = await transaction.query<{ readonly seconds: number }>(sql`
      select greatest(1, ceil(extract(epoch from min(expires_at) - clock_timestamp())))::int as seconds
        from login_step where user_id = ${userId} and flow = ${flow} and expires_at > clock_timestamp()
      having count(*) >= ${MOST_OPEN}`);
    if (full !== undefined) throw tooManyOpen(full.seconds);
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    await transaction.query(sql`
      insert into login_step (nonce_hash, flow, user_id, code_hash, question_key, passed, expires_at)
      values (${await this.nonceHash(nonce)}, ${flow}, ${userId},
              ${code === undefined ? null : await this.codeHash(nonce, code)}, ${questionKey ?? null}, ${passed ?? false},
              clock_timestamp() + make_interval(secs => ${this.config.CONFIG_SMS_CODE_EXPIRY_SECONDS}))`);
    return nonce;
  }

  /** Counts an attempt before any comparison. Undefined for an unknown, expired, used-up or other nonce alike. */
  async attempt(nonce: string, flows: readonly LoginFlow[]): Promise<LoginStep | undefined> {
    const [step] = await this.database.query<LoginStep>(sql`
      update login_step set attempts = attempts + 1
       where nonce_hash = ${await this.nonceHash(nonce)} and flow = any(${flows}::text[])
         and attempts < ${MOST_ATTEMPTS} and expires_at > clock_timestamp()
      returning ${LOGIN_STEP}`);
    return step;
  }

  /** Compares in constant time. */
  async isCode({ codeHash }: Pick<LoginStep, 'codeHash'>, nonce: string, code: string): Promise<boolean> {
    const hash = await this.codeHash(nonce, code);
    return codeHash !== null && timingSafeEqual(hash, codeHash);
  }

  /** Renews code and time; attempts stay counted. Undefined as `attempt`, and after three resends. */
  async renewCode(transaction: Queryable, nonce: string, code: string): Promise<Uuid | undefined> {
    const [step] = await transaction.query<Pick<LoginStep, 'userId'>>(sql`
      update login_step
         set code_hash = ${await this.codeHash(nonce, code)}, resends = resends + 1,
             expires_at = clock_timestamp() + make_interval(secs => ${this.config.CONFIG_SMS_CODE_EXPIRY_SECONDS})
       where nonce_hash = ${await this.nonceHash(nonce)} and flow = 'login' and code_hash is not null
         and resends < ${MOST_RESENDS} and attempts < ${MOST_ATTEMPTS} and expires_at > clock_timestamp()
      returning user_id as "userId"`);
    return step?.userId;
  }

  async ask(nonce: string, questionKey: string): Promise<void> {
    await this.database.query(sql`
      update login_step set question_key = ${questionKey}
       where nonce_hash = ${await this.nonceHash(nonce)} and not passed`);
  }

  /** Marks the step for `take` with `passed`. False for an ended step. */
  async pass(nonce: string): Promise<boolean> {
    const passed = await this.database.query(sql`
      update login_step set passed = true, question_key = null
       where nonce_hash = ${await this.nonceHash(nonce)} and expires_at > clock_timestamp() returning flow`);
    return passed.length > 0;
  }

  /** The user of a passed step, which stays; undefined as `attempt`. */
  async passed(nonce: string, flow: LoginFlow): Promise<Uuid | undefined> {
    const [step] = await this.database.query<Pick<LoginStep, 'userId'>>(sql`
      select user_id as "userId" from login_step
       where nonce_hash = ${await this.nonceHash(nonce)} and flow = ${flow} and passed
         and expires_at > clock_timestamp()`);
    return step?.userId;
  }

  /** One of concurrent requests gets the user. `passed` requires a passed step. Undefined as `attempt`. */
  async take(
    transaction: Queryable,
    nonce: string,
    { flow, passed }: { readonly flow: LoginFlow; readonly passed: boolean },
  ): Promise<Uuid | undefined> {
    const [step] = await transaction.query<Pick<LoginStep, 'userId'>>(sql`
      delete from login_step
       where nonce_hash = ${await this.nonceHash(nonce)} and flow = ${flow} and (passed or not ${passed}::boolean)
         and expires_at > clock_timestamp()
      returning user_id as "userId"`);
    return step?.userId;
  }

  private async nonceHash(nonce: string): Promise<Buffer> {
    return hmac(await this.hashes.keyFor('login nonce'), nonce);
  }

  /** Bound to its nonce: a code is good for one login. */
  private async codeHash(nonce: string, code: string): Promise<Buffer> {
    return hmac(await this.hashes.keyFor('login code'), `${nonce} ${code}`);
  }
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const tooManyOpen = (seconds: number): ServiceError =>
  new ServiceError('TOO_MANY_REQUESTS', 'Too many logins of this user have begun and not ended. Try again later.', {
    headers: { 'retry-after': String(seconds) },
    refusal: 'logins-open',
  });

/** Requires the lock of the user's row. Waits for logins being tried, which never wait for that row. */
export async function endLogins(transaction: Queryable, userId: Uuid): Promise<void> {
  await transaction.query(sql`
    delete from login_step where user_id = ${userId} and flow = 'login' and expires_at > clock_timestamp()`);
}

/** As `endLogins`, for recoveries and links as well. */
export async function endSteps(transaction: Queryable, userId: Uuid): Promise<void> {
  await transaction.query(sql`
    delete from login_step where user_id = ${userId} and expires_at > clock_timestamp()`);
  await transaction.query(sql`
    delete from recovery_link where user_id = ${userId} and expires_at > clock_timestamp()`);
}
