import { Global, Module } from '@nestjs/common';

import { AuthModule } from './auth.module.js';
import { CountryConfiguration } from './tokens/country-configuration.js';
import { NoticeClaims } from './notices/notice-claims.js';
import { NoticeUpkeep } from './notices/notice-upkeep.js';
import { NoticeMetrics } from './notices/notice-metrics.js';
import { NoticeNotes } from './notices/notice-notes.js';
import { NoticeSender } from './notices/notice-sender.js';

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
