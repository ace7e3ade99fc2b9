import { Injectable } from '@nestjs/common';

import type { Actor } from '../../platform/audit/audit-entry.js';
import { NoticeOutbox } from '../notices/notice-outbox.js';
import { Passwords } from '../users/passwords.js';
import { RecoveryLinks } from '../sessions/recovery-links.js';
import type { NewUserDto } from './new-user.dto.js';
import type { UserView } from '../users/user-view.js';
import { Users } from '../users/users.js';

/** Creates users as a request, a command or a line of an import orders them (U-6). */
@Injectable()
export class UserRegistration {
  constructor(
    private readonly users: Users,
    private readonly passwords: Passwords,
    private readonly links: RecoveryLinks,
    private readonly notices: NoticeOutbox,
  ) {}

  /**
   * A user without a password is sent a link to set one. Throws as `Users.create` does, and 503 where too many
   * passwords are to be hashed.
   */
  async register({ password, ...order }: NewUserDto, by: Actor): Promise<UserView> {
    if (password !== undefined) {
      return this.users.create({ ...order, passwordHash: await this.passwords.hash(password) }, by);
    }
    const user = await this.users.create(order, by, (transaction, created) =>
      this.links.sendFirst(transaction, created),
    );
    this.notices.announce();
    return user;
  }
}
