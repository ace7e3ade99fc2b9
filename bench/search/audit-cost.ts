import { cpuSeconds, cpuSecondsBetween, cpuTimesOf } from '../deliveries/cpu-time.js';
import { medianOf } from '../measure/spread.js';
import { withClient } from '../service/bench-database.js';
import type { Service } from '../service/service.js';

/** Milliseconds of processor time that a search takes, of the service and of the connections of the database. */
interface Taken {
  readonly serviceMs: number;
  readonly databaseMs: number;
}

/** The same searches in turns: by administrators, whose searches are not audited, and by system clients (S-16). */
export interface AuditFound {
  readonly searches: string;
  /** Medians of the rounds. */
  readonly administrators: Taken;
  readonly systemClients: Taken;
  /** The medians of how much more a system client's search took in a round. */
  readonly costlier: Taken;
  readonly rounds: number;
  readonly searchesARound: number;
}

const CALLERS = 4;
const ROUNDS = 9;

/**
 * What the audit of searches costs, in processor time: on a machine that others use too, the clock would tell of those.
 * Callers are as many of one kind as of the other, since turns are taken client by client.
 */
export async function auditCost(
  service: Service,
  databaseUrl: string,
  kinds: readonly { readonly searches: string; readonly bodies: readonly object[]; readonly count: number }[],
  tell: (line: string) => void,
): Promise<AuditFound[]> {
  const administrators = await service.asAdministrators(CALLERS);
  const systemClients = await service.asSystemClients(CALLERS);
  const found: AuditFound[] = [];
  for (const { searches, bodies, count } of kinds) {
    const asked = bodies.slice(0, count);
    const taken = (callers: readonly Service[]): Promise<Taken> => takenBy(callers, asked, service, databaseUrl);
    // Until what is hot has been compiled, and read from the disk.
    await taken(administrators);
    await taken(systemClients);
    const rounds: { readonly administrators: Taken; readonly systemClients: Taken }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const first = await taken(round % 2 === 0 ? administrators : systemClients);
      const second = await taken(round % 2 === 0 ? systemClients : administrators);
      rounds.push(
        round % 2 === 0
          ? { administrators: first, systemClients: second }
          : { administrators: second, systemClients: first },
      );
    }
    const median = (of: (round: (typeof rounds)[number], key: keyof Taken) => number): Taken => ({
      serviceMs: medianOf(rounds.map((round) => of(round, 'serviceMs'))),
      databaseMs: medianOf(rounds.map((round) => of(round, 'databaseMs'))),
    });
    const one: AuditFound = {
      searches,
      administrators: median((round, key) => round.administrators[key]),
      systemClients: median((round, key) => round.systemClients[key]),
      costlier: median((round, key) => round.systemClients[key] - round.administrators[key]),
      rounds: ROUNDS,
      searchesARound: asked.length,
    };
    found.push(one);
    const line = ({ serviceMs, databaseMs }: Taken): string => `${serviceMs.toFixed(3)} + ${databaseMs.toFixed(3)} ms`;
    tell(`${searches}: ${line(one.administrators)}, audited ${line(one.systemClients)}, ${line(one.costlier)} more`);
  }
  return found;
}

/** Has each of the searches asked once, each caller going on as soon as it is answered. */
async function takenBy(
  callers: readonly Service[],
  bodies: readonly object[],
  service: Service,
  databaseUrl: string,
): Promise<Taken> {
  // A connection may end meanwhile, and another one take its place.
  const cpuOfDatabase = async () => cpuTimesOf(await connectionsTo(databaseUrl));
  const [serviceBefore, databaseBefore] = [await cpuSeconds([service.pid]), await cpuOfDatabase()];
  let next = 0;
  const call = async (caller: Service): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const { status } = await caller.search(body);
      if (status !== 200) throw new Error(`a search was answered ${status}`);
    }
  };
  await Promise.all(callers.map(call));
  const [serviceAfter, databaseAfter] = [await cpuSeconds([service.pid]), await cpuOfDatabase()];
  const milliseconds = (seconds: number): number => (1_000 * seconds) / bodies.length;
  return {
    serviceMs: milliseconds(serviceAfter - serviceBefore),
    databaseMs: milliseconds(cpuSecondsBetween(databaseBefore, databaseAfter)),
  };
}

/** The server's processes for the connections of this database, which lie on this machine. */
const connectionsTo = (databaseUrl: string): Promise<number[]> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    return rows.map(({ pid }) => pid);
  });
