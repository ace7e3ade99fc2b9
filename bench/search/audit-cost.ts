import type { Service } from '../service/service.js';
import type { Spread } from '../measure/spread.js';
import { medianOf, spreadOf } from '../measure/spread.js';
import type { LoadFound } from './mixed-load.js';
import { mixedLoad } from './mixed-load.js';

/** One kind of search, asked in pairs: by an administrator, whose searches are not audited, and by a system client (S-16). */
export interface AuditFound {
  readonly alone: {
    readonly administrator: Spread;
    readonly systemClient: Spread;
    /** The median of how much longer the system client's search of a pair took. */
    readonly dearerMs: number;
  };
  /** The same searches by four callers at once, in turns: each an administrator, each a system client. */
  readonly load: readonly { readonly administrators: LoadFound; readonly systemClients: LoadFound }[];
  /** The median of the rounds: searches a second of the system clients, as a share of the administrator's. */
  readonly share: number;
}

const CALLERS = 4;
const ROUNDS = 5;

/** What the audit of searches costs: nothing else differs between the two of a pair, which come first by turns. */
export async function auditCost(
  service: Service,
  bodies: readonly object[],
  { runs, seconds, tell }: { runs: number; seconds: number; tell: (line: string) => void },
): Promise<AuditFound> {
  // Turns are taken client by client, so that there must be as many of both.
  const administrators = await service.asAdministrators(CALLERS);
  const clients = await service.asSystemClients(CALLERS);
  const asked: { administrator: number; systemClient: number }[] = [];
  for (let at = 0; at < 10 * runs; at++) {
    const body = bodies[at % bodies.length] ?? {};
    // What the database has to read is read for neither of the two.
    await service.search(body);
    const ask = async (whose: Service): Promise<number> => (await whose.search(body)).ms;
    const [administrator, client] = [administrators[at % CALLERS] ?? service, clients[at % CALLERS] ?? service];
    const first = await ask(at % 2 === 0 ? administrator : client);
    const second = await ask(at % 2 === 0 ? client : administrator);
    asked.push(
      at % 2 === 0 ? { administrator: first, systemClient: second } : { administrator: second, systemClient: first },
    );
  }
  const alone = {
    administrator: spreadOf(asked.map(({ administrator }) => administrator)),
    systemClient: spreadOf(asked.map(({ systemClient }) => systemClient)),
    dearerMs: medianOf(asked.map(({ administrator, systemClient }) => systemClient - administrator)),
  };
  tell(
    `alone: ${alone.administrator.p50.toFixed(2)} and ${alone.systemClient.p50.toFixed(2)} ms, ${alone.dearerMs.toFixed(3)} ms dearer`,
  );
  const load: { administrators: LoadFound; systemClients: LoadFound }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const asAdministrators = () => mixedLoad(service, bodies, { callers: CALLERS, seconds, as: administrators });
    const asClients = () => mixedLoad(service, bodies, { callers: CALLERS, seconds, as: clients });
    const before = round % 2 === 0 ? await asAdministrators() : undefined;
    const systemClients = await asClients();
    const ofAdministrators = before ?? (await asAdministrators());
    load.push({ administrators: ofAdministrators, systemClients });
    tell(`${ofAdministrators.searchesPerSecond.toFixed(0)}/s and ${systemClients.searchesPerSecond.toFixed(0)}/s`);
  }
  const share = medianOf(
    load.map(({ administrators, systemClients }) => systemClients.searchesPerSecond / administrators.searchesPerSecond),
  );
  return { alone, load, share };
}
