import type { ClientBase } from 'pg';
import { isSqlError } from '../../../kernel/errors/sql-state.js';
import { Periodic } from '../../jobs/periodic.js';
import { GuardedClient } from './guarded-client.js';
import type { Primary } from './primary.js';
import { lookAt } from './server-look.js';

/** A sort with too little memory makes the server write and remove a temporary file: harmless on a nearly full disk. */
const PREPARE = `set work_mem = '64kB'; set temp_tablespaces = ''`;
const WRITE = `
  select count(*) from (
    select number, repeat('x', 200) as filling from generate_series(1, 5000) as number order by number desc offset 0
  ) as sorted`;

/** Undefined for a writable primary. */
export type WriteFault = 'full' | 'read-only';

/** Throws if the database does not answer. */
export async function writeFaultOf(client: ClientBase): Promise<WriteFault | undefined> {
  const { rows } = await client.query<{ setting: string }>(
    `select current_setting('transaction_read_only') as setting`,
  );
  if (rows[0]?.setting === 'on') return 'read-only';
  try {
    await client.query(PREPARE);
    await client.query(WRITE);
    return undefined;
  } catch (error) {
    if (isSqlError(error, 'diskFull')) return 'full';
    throw error;
  }
}

export type ServerState = 'up' | 'down' | 'standby' | WriteFault;

const LOOK_EVERY_MS = 1_000;
const DEADLINE_MS = 2_000;
/** A new connection detects that the address leads to a different server. */
const RENEW_MS = 10_000;
const WRITE_LOOK_MS = 5_000;
const SLOW_MS = 1_500;

/**
 * Checks the primary once a second, on a separate connection: state, writability, unanswered statements. A statement
 * that the server is not working on means a dead connection, which is destroyed.
 */
export class ServerWatch {
  private current: ServerState = 'up';
  private client: GuardedClient | undefined;
  private madeMs = 0;
  private writesLookedAtMs = -Infinity;
  /** Statements without progress at the last check, with the bytes read until then. */
  private doubtful = new Map<GuardedClient, number>();
  private stopped = false;
  private readonly loop = new Periodic({
    everyMs: LOOK_EVERY_MS,
    work: async () => {
      this.note(await this.look());
    },
    onError: (error) => {
      this.drop();
      // A server that was asked to end waits for the last connection (`SIGTERM`).
      if (isSqlError(error, 'cannotConnectNow')) this.primary.leave();
      this.note('down', error);
    },
  });

  constructor(
    private readonly primary: Primary,
    private readonly onChange: (state: ServerState, error: unknown) => void,
  ) {}

  get state(): ServerState {
    return this.primary.isOutOfRoom && this.current === 'up' ? 'full' : this.current;
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.drop();
    await this.loop.stop();
  }

  private async look(): Promise<ServerState> {
    const client = await this.connected();
    const look = await lookAt(client);
    if (look.isStandby) return 'standby';
    this.primary.meet(look.incarnation);
    await this.giveUpTheLost(client);
    const isDue = performance.now() - this.writesLookedAtMs > WRITE_LOOK_MS;
    if (!isDue && this.current !== 'down') return this.current === 'standby' ? 'up' : this.current;
    const fault = await writeFaultOf(client);
    this.writesLookedAtMs = performance.now();
    return fault ?? 'up';
  }

  private async connected(): Promise<GuardedClient> {
    if (performance.now() - this.madeMs > RENEW_MS) this.drop();
    if (this.client !== undefined) return this.client;
    this.client = new GuardedClient({
      connectionString: this.primary.url,
      application_name: 'matricula watch',
      connectionTimeoutMillis: DEADLINE_MS,
      statementMs: DEADLINE_MS,
    });
    this.madeMs = performance.now();
    await this.client.connect();
    return this.client;
  }

  /** A lost statement is unanswered at two checks. */
  private async giveUpTheLost(client: GuardedClient): Promise<void> {
    const slow = this.primary.slowerThan(SLOW_MS);
    const lost = new Map<GuardedClient, number>();
    if (slow.length > 0) {
      const { rows } = await client.query<{ pid: number }>(WORKED_ON, [slow.map(({ backendPid }) => backendPid)]);
      const workedOn = new Set(rows.map(({ pid }) => pid));
      for (const one of slow) {
        if (one.backendPid === undefined || workedOn.has(one.backendPid)) continue;
        if (this.doubtful.get(one) === one.bytesRead) {
          one.abandon(new Error('Connection terminated: a statement, or its answer, got lost on the way'));
        } else lost.set(one, one.bytesRead);
      }
    }
    this.doubtful = lost;
  }

  private drop(): void {
    this.client?.abandon(new Error('Connection terminated: the watch has another'));
    this.client = undefined;
  }

  private note(state: ServerState, error?: unknown): void {
    if (this.current === state || this.stopped) return;
    this.current = state;
    this.onChange(state, error);
  }
}

/** The server also waits while its client takes an answer. */
const WORKED_ON = `
  select pid from pg_stat_activity
   where pid = any($1::int[]) and state in ('active', 'fastpath function call') and wait_event_type is distinct from 'Client'`;
