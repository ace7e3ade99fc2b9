import { Command, InvalidArgumentError, Option } from 'commander';
import type { Actor } from '../platform/audit/audit-entry.js';
import type { Instant } from '../kernel/domain/calendar.js';
import { parseUuid } from '../kernel/domain/uuid.js';
import { instant } from './options.js';
import { tell, writeOut } from './output.js';
import { withDatabase } from './services.js';

interface AuditOptions {
  readonly since?: Instant;
  readonly until?: Instant;
  readonly client?: string;
  readonly actor?: string;
}

/** `matricula audit`: one entry a line on standard output, oldest first (I-3). */
export const auditCommand = (): Command =>
  new Command('audit')
    .description('the audit log to standard output, one entry a line (NDJSON), the oldest first')
    .option('--since <date-time>', 'from here on, such as 2026-01-02T00:00:00Z', instant)
    .option('--until <date-time>', 'and before this', instant)
    .option('--client <client_id>', 'what this system client did', clientId)
    .addOption(new Option('--actor <name>', 'what this administrator did').conflicts('client'))
    .action(async ({ since, until, client, actor }: AuditOptions) => {
      await withDatabase(async (database) => {
        const { exportAudit } = await import('../platform/audit/export-audit.js');
        const filter = { since, until, actor: actorOf(client, actor) };
        const count = await exportAudit(database, filter, writeOut);
        tell(`${count} entries`);
      }, 'as it is');
    });

function actorOf(client: string | undefined, actor: string | undefined): Actor | undefined {
  if (client !== undefined) return { clientId: client, clientType: 'system' };
  return actor === undefined ? undefined : { clientId: actor, clientType: 'user' };
}

function clientId(text: string): string {
  const read = parseUuid(text);
  if (read === undefined) throw new InvalidArgumentError('Allowed: a client id, which is a UUID.');
  return read;
}
