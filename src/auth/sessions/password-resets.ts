import { Injectable } from '@nestjs/common';

import type { Actor } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { NoticeOutbox } from '../notices/notice-outbox.js';
import { endSteps } from './end-steps.js';
import { SessionFamilies } from './session-families.js';
import type { UserView } from '../users/user-view.js';
import { noSuchUser, Users } from '../users/users.js';
import { RecoveryLinks } from './recovery-links.js';

/** Password resets by administrators (U-6, U-7). */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly database: Database,
    private readonly users: Users,
    private readonly links: RecoveryLinks,
    private readonly sessions: SessionFamilies,
    private readonly notices: NoticeOutbox,
    private readonly audit: AuditLog,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * Deletes password and security questions, ends sessions, links and steps, and sends a link. Throws 404, and 409 for
   * a deactivated user; `permit` throws if the actor may not.
   */
  async reset(id: Uuid, by: Actor, permit: (user: UserView) => void = () => undefined): Promise<UserView> {
    const user = await this.database.transaction(async (transaction) => {
      const found = await this.users.lock(transaction, id);
      if (found === undefined) throw noSuchUser(id);
      permit(found);
      if (found.status === 'deactivated') throw new ServiceError('CONFLICT', 'The user is deactivated');
      await transaction.query(sql`
        update user_account set password_hash = null, security_questions = '[]' where user_id = ${id}`);
      await this.sessions.endAllOf(transaction, id);
      await endSteps(transaction, id);
      await this.links.sendFirst(transaction, found);
      await this.audit.record(transaction, {
        ...by,
        operation: 'user.resetPassword',
        requestData: { id },
        responseSummary: { userId: id },
      });
      return (await this.users.lock(transaction, id)) ?? found;
    });
    this.notices.announce();
    await Promise.all([this.feed.heed('user_changed'), this.sessions.heed()]);
    return user;
  }
}
