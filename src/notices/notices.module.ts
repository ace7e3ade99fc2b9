import { Global, Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { CountryConfiguration } from '../intake/confirmation/outgoing/country-configuration.js';
import { NoticeClaims } from './notice-claims.js';
import { NoticeUpkeep } from './notice-upkeep.js';
import { NoticeMetrics } from './notice-metrics.js';
import { NoticeNotes } from './notice-notes.js';
import { NoticeSender } from './notice-sender.js';

/**
 * Sends what waits in auth's outbox of notices to users. Its connections to the country configuration are its own: an
 * action that hangs there delays no code.
 */
@Global()
@Module({
  imports: [AuthModule],
  providers: [CountryConfiguration, NoticeClaims, NoticeNotes, NoticeUpkeep, NoticeMetrics, NoticeSender],
  exports: [NoticeSender, NoticeMetrics],
})
export class NoticesModule {}
