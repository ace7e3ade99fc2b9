import type { OnModuleDestroy } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import { Announcements } from '../../platform/database/pools/announcements.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

/** Who in this process hears of due deliveries without the database. */
interface Listener {
  /** Whether this process delivers to the subscription now, and has been woken. */
  readonly wakeHeld?: (subscriptionId: Uuid) => boolean;
  readonly wake: () => void;
}

/** Tells all processes that a delivery has become due. */
@Injectable()
export class DueAnnouncements extends Announcements implements OnModuleDestroy {
  private readonly listeners: Listener[] = [];

  constructor(database: Database) {
    super(database, 'delivery_due');
  }

  /** Where deliveries are made: not in a command. */
  to(listener: Listener): void {
    this.listeners.push(listener);
  }

  override announce(): void {
    super.announce();
    for (const { wake } of this.listeners) wake();
  }

  /** Others cannot deliver to subscriptions that this process holds, and are not told of them. */
  announceFor(subscriptionIds: ReadonlySet<Uuid>): void {
    const isHeld = (id: Uuid): boolean => this.listeners.some(({ wakeHeld }) => wakeHeld?.(id) === true);
    const others = [...subscriptionIds].filter((id) => !isHeld(id));
    if (others.length > 0) this.announce();
  }

  onModuleDestroy(): Promise<void> {
    return this.end();
  }
}
