import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Faults, memberPath } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { isObject, isTextWithin } from '../../kernel/input/checks.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { interruptibleSleep } from '../../platform/jobs/periodic.js';
import { networkOf } from '../../platform/queue/network-of.js';
import { NoticeOutbox, recipientOf } from '../notices/notice-outbox.js';
import { Passwords } from '../users/passwords.js';
import { faultOfPassword, type KnownOf } from '../users/user-members.js';
import { Users } from '../users/users.js';
import { type StoredSecurityQuestion, USER_VIEW, type UserView } from '../users/user-view.js';
import { endSteps, LoginSteps } from './login-steps.js';
import { type RecoveryFlow, RecoveryLinks } from './recovery-links.js';
import { SessionFamilies } from './session-families.js';

export interface SecurityAnswer {
  readonly questionKey: string;
  readonly answer: string;
}

/** Letter case, Unicode composition and spaces do not matter. */
export const normalAnswer = (answer: string): string =>
  answer.normalize('NFKC').toUpperCase().toLowerCase().trim().replace(/\s+/g, ' ');

/** Returns the same question if there is no other. */
export function questionAfter(questions: readonly StoredSecurityQuestion[], asked: string): string {
  const at = questions.findIndex(({ key }) => key === asked);
  return questions[(at + 1) % questions.length]?.key ?? asked;
}

export const MOST_QUESTIONS = 10;
/** Upstream's keys, such as `BIRTH_TOWN`, or a country's own. */
export const QUESTION_KEY = /^[A-Z][A-Z0-9_]{0,63}$/;

const LONGEST_ANSWER = 256;
const KEYS = ['questionKey', 'answer'];

/** Undefined where there are none. Throws 400 with every fault. */
export function readSecurityAnswers(value: unknown): readonly SecurityAnswer[] | undefined {
  if (value === undefined) return undefined;
  const faults = new Faults();
  const path = 'securityQuestions';
  const answers: SecurityAnswer[] = [];
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_QUESTIONS) {
    faults.add(path, `must be a list of 1 to ${MOST_QUESTIONS} questions`);
  } else value.forEach((item: unknown, at) => answers.push(readAnswer(item, memberPath(path, at), faults)));
  const keys = answers.map(({ questionKey }) => questionKey);
  if (faults.none && new Set(keys).size < keys.length) faults.add(path, 'must have each question once');
  faults.throwIfAny();
  return answers;
}

function readAnswer(item: unknown, path: string, faults: Faults): SecurityAnswer {
  const { questionKey, answer, ...others } = isObject(item) ? item : {};
  if (!isObject(item)) faults.add(path, 'must be an object');
  for (const key of Object.keys(others).slice(0, 1)) {
    faults.add(memberPath(path, key), `is not a known key; allowed: ${KEYS.join(', ')}`);
  }
  const isKey = typeof questionKey === 'string' && QUESTION_KEY.test(questionKey);
  if (!isKey)
    faults.add(memberPath(path, 'questionKey'), 'must be 1 to 64 capital letters, digits and `_`: BIRTH_TOWN');
  const isAnswer = isTextWithin(answer, LONGEST_ANSWER) && normalAnswer(answer) !== '';
  if (!isAnswer)
    faults.add(memberPath(path, 'answer'), `must be text of 1 to ${LONGEST_ANSWER} characters, not spaces alone`);
  return isKey && isAnswer ? { questionKey, answer } : { questionKey: '', answer: '' };
}

/** A request of a link, by the address that was given. */
export interface RecoveryRequest {
  readonly by: { readonly email: string } | { readonly mobile: string };
  readonly flow: RecoveryFlow;
  readonly address: string;
}

interface Recorded {
  readonly email: string | null;
  readonly mobile: string | null;
  readonly flow: RecoveryFlow;
}

const EVERY_MS = 250;
/** The pause after a failure, such as that of a database that is away. */
const RETRY_MS = 2_000;
const AT_ONCE = 4;
const MOST_WAITING = 1_000;
/** How many of a network wait, so that it leaves room for others. */
const MOST_OF_A_NETWORK = 250;
const KEPT = sql`interval '1 day'`;
const WAITING = sql`from recovery_request where expires_at > clock_timestamp()`;

/**
 * Records requests of links before they are answered, and serves them afterwards: neither an answer nor its time tells
 * whether there is such a user (U-4). Any process serves a request in the transaction that deletes it, so that none is
 * lost while the database is away or a process ends.
 */
@Injectable()
export class RecoveryRequests {
  constructor(
    private readonly database: Database,
    private readonly links: RecoveryLinks,
    private readonly notices: NoticeOutbox,
    jobs: Jobs,
  ) {
    jobs.add({
      ...{ name: RecoveryRequests.name, everyMs: EVERY_MS },
      failure: 'links that were asked for could not be sent; they are tried again',
      work: (signal) => this.run(signal),
    });
  }

  /** Records a request. Throws 503 SERVICE_UNAVAILABLE where too many wait, or the database does not take it. */
  async add({ by, flow, address }: RecoveryRequest): Promise<void> {
    const { email = null, mobile = null }: { email?: string | null; mobile?: string | null } = by;
    const network = networkOf(address);
    const recorded = await this.database.query(sql`
      insert into recovery_request (request_id, email, mobile, flow, network, expires_at)
      select ${randomUUID()}::uuid, ${email}::text, ${mobile}::text, ${flow}::text, ${network}::text,
             clock_timestamp() + ${KEPT}
        from (select count(*) as waiting, count(*) filter (where network = ${network}) as of_network ${WAITING})
       where waiting < ${MOST_WAITING} and of_network < ${MOST_OF_A_NETWORK}
      returning 1`);
    if (recorded.length === 0) throw tooMany();
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      const waiting = await this.database.query(sql`select ${WAITING} limit ${AT_ONCE}`);
      await Promise.all(
        waiting.map(async () => {
          while (!signal.aborted && (await this.serveOne()));
        }),
      );
    } catch (error) {
      await interruptibleSleep(RETRY_MS, signal);
      throw error;
    }
  }

  private async serveOne(): Promise<boolean> {
    const served = await this.database.transaction(async (transaction) => {
      // Any of them: one that fails holds nobody up.
      const [request] = await transaction.query<Recorded>(sql`
        delete from recovery_request where request_id = (
          select request_id ${WAITING} order by random() limit 1 for update skip locked)
        returning email, mobile, flow`);
      if (request !== undefined) await this.serve(transaction, request);
      return request;
    });
    if (served !== undefined) this.notices.announce();
    return served !== undefined;
  }

  private async serve(transaction: Queryable, { email, mobile, flow }: Recorded): Promise<void> {
    const is = email === null ? sql`mobile = ${mobile}` : sql`email_key(email) = email_key(${email})`;
    const user = await find(transaction, is);
    // Asked of nobody, too: both ways take as many statements, but for the few that send a link.
    const mayAsk = await this.links.mayAsk(transaction, user?.id ?? NOBODY, flow);
    if (user === undefined || !mayAsk) return;
    const locked = await find(transaction, sql`user_id = ${user.id} for no key update`);
    if (locked !== undefined) await this.links.send(transaction, locked, flow);
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many links are being asked for; try again later', {
    headers: { 'retry-after': '1' },
    refusal: 'recoveries-waiting',
  });

const NOBODY = '00000000-0000-0000-0000-000000000000' as UserView['id'];

async function find(reader: Queryable, where: Sql): Promise<UserView | undefined> {
  const [user] = await reader.query<UserView>(
    sql`select ${USER_VIEW} from user_account where status <> 'deactivated' and ${where}`,
  );
  return user;
}

export interface BegunRecovery {
  readonly nonce: string;
  /** Null: no question to answer. */
  readonly securityQuestionKey: string | null;
  readonly retrieveFlow: RecoveryFlow;
}

export interface AnsweredQuestion {
  readonly matched: boolean;
  readonly nonce: string;
  /** The next question; absent after a right answer. */
  readonly securityQuestionKey?: string;
}

export interface PasswordOrder {
  readonly nonce: string;
  readonly newPassword: string;
  /** Replaces the stored ones, if given. */
  readonly securityQuestions?: readonly SecurityAnswer[] | undefined;
}

const REMINDER_SECONDS = 3_600;

/** Recovery steps after the link (U-2, U-4). The caller counts the request. */
@Injectable()
export class Recoveries {
  constructor(
    private readonly database: Database,
    private readonly links: RecoveryLinks,
    private readonly steps: LoginSteps,
    private readonly users: Users,
    private readonly passwords: Passwords,
    private readonly sessions: SessionFamilies,
    private readonly notices: NoticeOutbox,
    private readonly audit: AuditLog,
    private readonly feed: ChangeFeed,
  ) {}

  /** Uses up a link. Throws the same 401 for every reason. */
  verifyToken(token: string): Promise<BegunRecovery> {
    return this.database.transaction(async (transaction) => {
      const used = await this.links.use(transaction, token);
      if (used === undefined) throw new ServiceError('UNAUTHORIZED', 'token is wrong, or has expired');
      const { flow, user } = used;
      const questionKey = user.securityQuestions[0]?.key;
      const step = questionKey === undefined ? { passed: true } : { questionKey };
      const nonce = await this.steps.begin(transaction, { flow, userId: user.id, ...step });
      return { nonce, securityQuestionKey: questionKey ?? null, retrieveFlow: flow };
    });
  }

  /** Uses up an attempt; a wrong answer leads to another question. Throws 401. */
  async answer(nonce: string, answer: string, address: string): Promise<AnsweredQuestion> {
    const step = await this.steps.attempt(nonce, ['password', 'username']);
    if (step === undefined || step.questionKey === null) throw wrongNonce();
    const asked = step.questionKey;
    const questions = (await this.users.findStored(step.userId))?.securityQuestions ?? [];
    const hash = questions.find(({ key }) => key === asked)?.answerHash;
    if (await this.passwords.matches(hash, normalAnswer(answer), networkOf(address))) {
      if (!(await this.steps.pass(nonce))) throw wrongNonce();
      return { matched: true, nonce };
    }
    const next = questionAfter(questions, asked);
    await this.steps.ask(nonce, next);
    return { matched: false, nonce, securityQuestionKey: next };
  }

  /** Also activates a pending user, and ends sessions, links and steps. 401 unless all steps passed. */
  async changePassword({ nonce, newPassword, securityQuestions }: PasswordOrder, address: string): Promise<void> {
    const userId = await this.steps.passed(nonce, 'password');
    if (userId === undefined) throw wrongNonce();
    const owner = await this.users.findStored(userId);
    requireGood(newPassword, { ...owner?.name, ...owner });
    const network = networkOf(address);
    const passwordHash = await this.passwords.hash(newPassword, network);
    const questions = securityQuestions && (await this.hashed(securityQuestions, network));
    await this.database.transaction(async (transaction) => {
      // In this order, as a deactivation also locks the user before it deletes their steps.
      const user = await this.users.lock(transaction, userId);
      const taken = await this.steps.take(transaction, nonce, { flow: 'password', passed: true });
      if (user === undefined || taken === undefined) throw wrongNonce();
      await transaction.query(sql`
        update user_account
           set password_hash = ${passwordHash}, status = case status when 'pending' then 'active' else status end,
               security_questions = coalesce(${questions === undefined ? null : JSON.stringify(questions)}::jsonb,
                                             security_questions)
         where user_id = ${userId}`);
      await this.sessions.endAllOf(transaction, userId);
      await endSteps(transaction, userId);
      await this.audit.record(transaction, {
        clientId: userId,
        clientType: 'user',
        operation: 'user.changePassword',
        requestData: { securityQuestions: questions?.map(({ key }) => key) ?? [] },
        responseSummary: { userId, status: 'active' },
      });
    });
    await Promise.all([this.feed.heed('user_changed'), this.sessions.heed()]);
  }

  /** Throws 401 unless all steps passed. */
  async sendUserName(nonce: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const userId = await this.steps.take(transaction, nonce, { flow: 'username', passed: true });
      const user = userId && (await this.users.findStored(userId, transaction));
      if (user === undefined || user.status === 'deactivated') throw wrongNonce();
      await this.notices.enqueue(transaction, {
        event: 'username-reminder',
        userId: user.id,
        body: { recipient: recipientOf(user), username: user.username },
        goodSeconds: REMINDER_SECONDS,
      });
    });
    this.notices.announce();
  }

  private hashed(answers: readonly SecurityAnswer[], network: string): Promise<StoredSecurityQuestion[]> {
    return Promise.all(
      answers.map(async ({ questionKey: key, answer }) => ({
        key,
        answerHash: await this.passwords.hash(normalAnswer(answer), network),
      })),
    );
  }
}

function requireGood(newPassword: string, owner: KnownOf): void {
  const faults = new Faults();
  const fault = faultOfPassword(newPassword, owner);
  if (fault !== undefined) faults.add('newPassword', fault);
  faults.throwIfAny();
}

const wrongNonce = (): ServiceError =>
  new ServiceError('UNAUTHORIZED', 'nonce is wrong or has expired, or a step before this one is missing');
