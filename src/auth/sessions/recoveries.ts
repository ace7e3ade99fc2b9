import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Database } from '../../platform/database/pools/database.js';
import type { StoredSecurityQuestion } from '../../platform/database/schema/user.entity.js';
import { Faults } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { endSteps } from './end-steps.js';
import { LoginSteps } from './login-steps.js';
import { recipientOf } from '../notices/notice.js';
import { NoticeOutbox } from '../notices/notice-outbox.js';
import type { KnownOf } from '../users/guessed-first.js';
import { faultOfPassword } from '../users/is-password.js';
import { Passwords } from '../users/passwords.js';
import { SessionFamilies } from './session-families.js';
import { networkOf } from '../../platform/queue/network-of.js';
import { Users } from '../users/users.js';
import { type RecoveryFlow, RecoveryLinks } from './recovery-links.js';
import { normalAnswer, questionAfter } from './security-questions.js';

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

export interface SecurityAnswer {
  readonly questionKey: string;
  readonly answer: string;
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

  /**
   * Sets a password, activates a pending user, and ends sessions, links and steps. Throws 401 unless all steps passed,
   * 400 for a password made of the user's names.
   */
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
      const { username, name, email, mobile } = user;
      await this.notices.enqueue(transaction, {
        event: 'username-reminder',
        userId: user.id,
        body: { recipient: recipientOf({ ...name, email, mobile }), username },
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
