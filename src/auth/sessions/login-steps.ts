import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { ClientSecretHash } from '../secrets/client-secret-hash.js';

/** What is under way: a login, or the recovery of a password or of a user name. */
export type LoginFlow = 'login' | 'password' | 'username';

/** How often a code or an answer may be tried in one step, whatever was sent again in between (U-7). */
const MOST_ATTEMPTS = 5;
/** How often a code is sent again (U-7). */
const MOST_RESENDS = 3;
/**
 * Steps of one flow that a user may have open, so that whoever knows a password, or has a link, does not get more
 * attempts by beginning anew: those that were used up count until they expire.
 */
const MOST_OPEN = 10;
/** Expired steps that are deleted when another begins, so that the table holds little else than open ones. */
const SWEPT = 100;

const NONCE_BYTES = 16;

/** A step to be begun. */
export interface NewStep {
  readonly flow: LoginFlow;
  readonly userId: Uuid;
  /** What the user must send back; nothing of it is kept but a keyed hash. */
  readonly code?: string;
  /** The security question that is asked. */
  readonly questionKey?: string;
  /** Whether there is nothing left to show. */
  readonly passed?: boolean;
}

/** What a nonce stands for. */
export interface LoginStep {
  readonly userId: Uuid;
  readonly flow: LoginFlow;
  /** Null when no code is awaited. */
  readonly codeHash: Buffer | null;
  /** Null when no answer is awaited. */
  readonly questionKey: string | null;
  readonly passed: boolean;
}

const LOGIN_STEP = sql`user_id as "userId", flow, code_hash as "codeHash", question_key as "questionKey", passed`;

/**
 * What a nonce stands for between the requests of a login or a recovery. Nonces and codes are kept as keyed hashes;
 * each change is one statement with its condition, so that simultaneous requests get nothing more than those that
 * follow each other. The database's clock decides.
 */
@Injectable()
export class LoginSteps {
  constructor(
    private readonly database: Database,
    private readonly hashes: ClientSecretHash,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CONFIG_SMS_CODE_EXPIRY_SECONDS'>,
  ) {}

  /**
   * Begins a step, and resolves with its nonce. Throws 429 with `Retry-After` for a user who has too many open ones,
   * and 401 for one who does not exist or is deactivated.
   */
  async begin(transaction: Queryable, { flow, userId, code, questionKey, passed }: NewStep): Promise<string> {
    const [found] = await transaction.query(sql`
      select from user_account where user_id = ${userId} and status <> 'deactivated' for no key update`);
    if (found === undefined) throw new ServiceError('UNAUTHORIZED', 'The user is not active');
    // After the lock: whoever has steps must not wait for a user, as whoever has a user waits for his steps.
    await transaction.query(sql`
      delete from login_step where nonce_hash in (
        select nonce_hash from login_step where expires_at < clock_timestamp() limit ${SWEPT} for update skip locked)`);
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

  /**
   * Counts an attempt, before anything is compared, and resolves with the step. Undefined for a nonce that is unknown,
   * expired, of another flow, or has used up its attempts: nobody is told which.
   */
  async attempt(nonce: string, flows: readonly LoginFlow[]): Promise<LoginStep | undefined> {
    const [step] = await this.database.query<LoginStep>(sql`
      update login_step set attempts = attempts + 1
       where nonce_hash = ${await this.nonceHash(nonce)} and flow = any(${flows}::text[])
         and attempts < ${MOST_ATTEMPTS} and expires_at > clock_timestamp()
      returning ${LOGIN_STEP}`);
    return step;
  }

  /** Whether this is the code of the step, compared in constant time. */
  async isCode({ codeHash }: Pick<LoginStep, 'codeHash'>, nonce: string, code: string): Promise<boolean> {
    const hash = await this.codeHash(nonce, code);
    return codeHash !== null && timingSafeEqual(hash, codeHash);
  }

  /**
   * Replaces the code of a login, which is good for its whole time again; attempts stay counted. Resolves with the
   * user; undefined as `attempt` does, and where it was replaced three times.
   */
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

  /** Asks another security question. */
  async ask(nonce: string, questionKey: string): Promise<void> {
    await this.database.query(sql`
      update login_step set question_key = ${questionKey}
       where nonce_hash = ${await this.nonceHash(nonce)} and not passed`);
  }

  /** Everything has been shown: `take` with `passed` finds the step from now on. False for one that has ended. */
  async pass(nonce: string): Promise<boolean> {
    const passed = await this.database.query(sql`
      update login_step set passed = true, question_key = null
       where nonce_hash = ${await this.nonceHash(nonce)} and expires_at > clock_timestamp() returning flow`);
    return passed.length > 0;
  }

  /** The user of a step of the flow in which everything has been shown, which stays; undefined as `attempt` does. */
  async passed(nonce: string, flow: LoginFlow): Promise<Uuid | undefined> {
    const [step] = await this.database.query<Pick<LoginStep, 'userId'>>(sql`
      select user_id as "userId" from login_step
       where nonce_hash = ${await this.nonceHash(nonce)} and flow = ${flow} and passed
         and expires_at > clock_timestamp()`);
    return step?.userId;
  }

  /**
   * Uses a step up, within the transaction of what it allows: of simultaneous requests one gets the user. `passed`:
   * only where everything has been shown. Undefined as `attempt` does.
   */
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
