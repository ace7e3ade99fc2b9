import { Injectable } from '@nestjs/common';

import type { Actor } from '../../platform/audit/audit-entry.js';
import { NoticeOutbox } from '../notices/notice-outbox.js';
import { Passwords } from '../users/passwords.js';
import { RecoveryLinks } from '../sessions/recovery-links.js';
import type { NewUserDto } from './new-user.dto.js';
import type { UserView } from '../users/user-view.js';
import { Users } from '../users/users.js';

/** Creates users for requests, commands and imports (U-6). */
@Injectable()
export class UserRegistration {
  constructor(
    private readonly users: Users,
    private readonly passwords: Passwords,
    private readonly links: RecoveryLinks,
    private readonly notices: NoticeOutbox,
  ) {}

  /** Without a password, a link is sent. Throws as `Users.create`, and 503 when the hash queue is full. */
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
