import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { type NoticeEvent, NoticeOutbox } from '../../src/auth/notices/notice-outbox.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import { Database } from '../../src/platform/database/pools/database.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { NoticeSender } from '../../src/auth/notices/notice-sender.js';
import { AuthModule, NOTICE_SENDER } from '../../src/auth/auth.module.js';
import { sql } from '../../src/kernel/sql/sql.js';
import type { TestDatabase } from './postgres.js';
import { startModules } from './start-modules.js';

/** What writes notices to users and sends them, as one process of several may. */
export interface NoticeService {
  readonly app: INestApplicationContext;
  /** Everything that was logged. */
  readonly lines: readonly string[];
  /** Enqueues a notice with this code for a user of its own; resolves with whose it is after the commit. */
  readonly notify: (code: string, given?: { event?: NoticeEvent; livesMs?: number }) => Promise<Uuid>;
  readonly close: (graceMs?: number) => Promise<void>;
}

/** A schedule of a tenth of a second, unless `environment` says otherwise. */
export async function startNoticeService(
  { url }: TestDatabase,
  environment: Readonly<Record<string, string>>,
): Promise<NoticeService> {
  const config = readConfig({
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    CONFIRMATION_TIMEOUT_SECONDS: '60',
    WEBHOOK_RETRY_SECONDS: '0.1,0.1,0.1',
    ...environment,
  });
  const lines: string[] = [];
  const line = (message: unknown): void => void lines.push(String(message));
  const logger = { log: line, warn: line, error: line };
  const app = await startModules(url, config, {
    imports: [{ module: AuthModule, providers: NOTICE_SENDER, exports: NOTICE_SENDER }],
    logger,
  });
  await app.get(ChangeFeed).start();
  const outbox = app.get(NoticeOutbox, { strict: false });
  return {
    app,
    lines,
    notify: async (code, { event = '2fa', livesMs = 3_600_000 } = {}) => {
      const userId = randomUUID() as Uuid;
      const recipient = { name: { firstname: 'Ann', surname: 'Musonda' }, email: 'ann@example.com' };
      await outbox.enqueue(app.get(Database), {
        event,
        userId,
        body: { recipient, code },
        goodSeconds: livesMs / 1_000,
      });
      outbox.announce();
      return userId;
    },
    close: async (graceMs = 2_000) => {
      await app.get(NoticeSender).stop(graceMs);
      await app.get(ChangeFeed).stop();
      await app.close();
    },
  };
}

/** Of the notice to a user, what the outbox holds. */
export interface KeptNotice {
  readonly status: string;
  readonly failures: number;
  readonly isErased: boolean;
}

export async function noticeTo({ database }: TestDatabase, userId: Uuid): Promise<KeptNotice> {
  const [row] = await database.query<KeptNotice>(sql`
    select status, failures, body_sealed is null as "isErased" from user_notice where user_id = ${userId}`);
  if (row === undefined) throw new Error(`there is no notice to ${userId}`);
  return row;
}
