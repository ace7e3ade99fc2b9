import { Global, Module } from '@nestjs/common';

import { AuthModule } from './auth.module.js';
import { CountryConfiguration } from './tokens/country-configuration.js';
import { NoticeClaims } from './notices/notice-claims.js';
import { NoticeUpkeep } from './notices/notice-upkeep.js';
import { NoticeMetrics } from './notices/notice-metrics.js';
import { NoticeNotes } from './notices/notice-notes.js';
import { NoticeSender } from './notices/notice-sender.js';

/** Sends auth's outbox of notices over its own connections, so that a blocked action delays no login codes. */
@Global()
@Module({
  imports: [AuthModule],
  providers: [CountryConfiguration, NoticeClaims, NoticeNotes, NoticeUpkeep, NoticeMetrics, NoticeSender],
  exports: [NoticeSender, NoticeMetrics],
})
export class NoticesModule {}
