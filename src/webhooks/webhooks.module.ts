import { Global, Module } from '@nestjs/common';

import { AuditModule } from '../platform/audit.module.js';
import { EventsModule } from '../events/events.module.js';
import { EventPublisher, FilesToEnclose } from '../events/write/event-publisher.js';
import { AuthModule } from '../auth/auth.module.js';
import { EnclosedFiles } from './context/enclosed-files.js';
import { DueAnnouncements } from './delivery/due-announcements.js';
import { Publisher } from './delivery/publisher.js';
import { DeliveryLog } from './delivery-log/delivery-log.js';
import { ClientFormats } from './subscriptions/client-formats.js';
import { SubscriptionRegister } from './subscriptions/subscription-register.js';
import { Subscriptions } from './subscriptions/subscriptions.js';

/**
 * Subscriptions and the outbox, for whoever writes records and for the command line. Needs a global provider of
 * `RecordFilter`, and takes one of `CORRELATION_ID`.
 */
@Global()
@Module({
  imports: [AuditModule, AuthModule, EventsModule],
  providers: [
    DueAnnouncements,
    EnclosedFiles,
    Publisher,
    ClientFormats,
    Subscriptions,
    SubscriptionRegister,
    DeliveryLog,
    { provide: EventPublisher, useExisting: Publisher },
    { provide: FilesToEnclose, useExisting: EnclosedFiles },
  ],
  exports: [
    DueAnnouncements,
    EnclosedFiles,
    Publisher,
    ClientFormats,
    Subscriptions,
    SubscriptionRegister,
    DeliveryLog,
    EventPublisher,
    FilesToEnclose,
  ],
})
export class WebhooksModule {}
