import { eventually } from '../../support/eventually.js';
import type { ScriptedSubscriber } from '../../support/scripted-subscriber.js';
import { answers, hangs, startScriptedSubscriber } from '../../support/scripted-subscriber.js';
import { Clerks, newName } from '../clerks.js';
import type { PostgresServer } from '../postgres-server.js';
import { staged } from '../scenario.js';
import type { ServiceProcess } from '../service-process.js';
import { sharedStage } from '../stage.js';
import type { World } from '../world.js';

const INVITED = 10;
const INVITERS = 4;
const LOGINS = 5;
const KILLS = 3;
/** Far less than what a dead process had claimed would stay claimed, and than the schedule has. */
const AGAIN_MS = 30_000;
const TAKEN_MS = 60_000;
/** After which a code is not sent any more, nor one that is waiting. */
const CODE_SECONDS = 3;

/** What users are sent survives what its way to them meets (U-2), and is not sent once it is good for nothing (U-9). */
export const NOTICE_SCENARIOS = [
  staged(async (postgres) => ({ ...(await sharedStage(postgres)), postgres }), {
    fault: 'notices to users: their country down, kill -9 in the middle of them, PostgreSQL restarted and killed',
    dispatch: ['in process'],
    alone: true,
    act: (world, { postgres }) => noticed(world, postgres),
  }),
];

/** What the country configuration got so far, whenever it was up. */
class Country {
  private up: ScriptedSubscriber | undefined;
  private readonly earlier: ScriptedSubscriber[] = [];

  private constructor(readonly port: number) {}

  static async start(): Promise<Country> {
    const first = await startScriptedSubscriber({ tls: false });
    const country = new Country(first.port);
    country.up = first;
    return country;
  }

  get now(): ScriptedSubscriber {
    if (this.up === undefined) throw new Error('it is down');
    return this.up;
  }

  async down(): Promise<void> {
    if (this.up === undefined) return;
    this.earlier.push(this.up);
    await this.up.close();
    this.up = undefined;
  }

  async back(): Promise<void> {
    this.up = await startScriptedSubscriber({ tls: false, port: this.port });
  }

  /** What it was told of an event: the links by user name, and to whom codes went. */
  told(event: 'user-created' | '2fa'): readonly Told[] {
    return [...this.earlier, ...(this.up === undefined ? [] : [this.up])]
      .flatMap(({ notifications }) => notifications)
      .filter(({ target }) => target === `/trigger/user/${event}`)
      .map(({ body }) => JSON.parse(body.toString()) as Told);
  }
}

interface Told {
  readonly username?: string;
  readonly token?: string;
  readonly recipient: { readonly email: string };
}

async function noticed(world: World, postgres: PostgresServer): Promise<void> {
  const country = await Country.start();
  try {
    // One without a country configuration would take notices for itself, and show them in its log.
    await world.service.kill();
    const service = await world.startService({
      COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}`,
      CONFIG_SMS_CODE_EXPIRY_SECONDS: String(CODE_SECONDS),
      // What a dead process held is to be free when its lock falls: whoever waited for its lease would wait in vain.
      CONFIRMATION_TIMEOUT_SECONDS: '300',
    });
    const clerks = await Clerks.of(world);
    const invited: string[] = [];
    const invite = async (): Promise<void> => {
      const name = newName();
      await invitedAt(clerks, name, service);
      invited.push(name);
    };
    const areTold = async (): Promise<void> => {
      const known = (): ReadonlySet<string | undefined> =>
        new Set(country.told('user-created').map(({ username }) => username));
      await eventually('all are told', () => invited.every((name) => known().has(name)), AGAIN_MS);
    };

    await country.down();
    for (let one = 0; one < INVITED; one += 1) await invite();
    for (const name of await clerks.active(LOGINS, service)) await clerks.begin(name, service);
    await eventually('codes have expired', async () => (await count(world, EXPIRED)) === LOGINS, AGAIN_MS);
    await country.back();
    await areTold();

    country.now.behave(hangs);
    await invite();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await eventually('it is told', () => toldOf(country, invited.at(-1)) >= kill, AGAIN_MS);
      await service.kill();
      if (kill === KILLS) country.now.behave(answers(200));
      await service.start();
    }
    await areTold();

    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      let isBack = false;
      const inviting = Array.from({ length: INVITERS }, async () => {
        while (!isBack) await invite();
      });
      await postgres.restart(signal).finally(() => {
        isBack = true;
      });
      await Promise.all(inviting);
      await areTold();
    }
    await requireAll(world, invited, country);
    const repeated = country.told('user-created').length - invited.length;
    world.seen =
      `${invited.length} invitations, each told at least once (${repeated} times again), as the same link; ` +
      `${LOGINS} codes expired meanwhile, none of them told, and erased`;
  } finally {
    await country.down();
  }
}

const toldOf = (country: Country, name: string | undefined): number =>
  country.told('user-created').filter(({ username }) => username === name).length;

const EXPIRED = `user_notice where event = '2fa' and status = 'expired' and body_sealed is null`;

/** Until it is answered: a user who is there already was created by a request whose answer got lost. */
async function invitedAt(clerks: Clerks, name: string, service: ServiceProcess): Promise<void> {
  await eventually(
    'a user is created',
    async () => {
      const status = await clerks.invite(name, service);
      if (status !== undefined && ![201, 409, 503].includes(status)) throw new Error(`a user was answered ${status}`);
      return status === 201 || status === 409;
    },
    TAKEN_MS,
  );
}

async function requireAll(world: World, invited: readonly string[], country: Country): Promise<void> {
  const told = country.told('user-created');
  const links = new Set(told.map(({ username, token }) => `${username ?? ''} ${token ?? ''}`));
  if (links.size !== invited.length) throw new Error(`${invited.length} were invited, and ${links.size} links told`);
  const codes = country.told('2fa').length;
  if (codes > 0) throw new Error(`${codes} codes were told that had expired`);
  const settled = `user_notice where event = 'user-created' and status = 'delivered' and body_sealed is null`;
  await eventually('the outbox knows', async () => (await count(world, settled)) === invited.length, AGAIN_MS);
  const others = (await count(world, 'user_notice')) - invited.length - LOGINS;
  if (others !== 0) throw new Error(`${others} more notices are kept`);
}

async function count(world: World, from: string): Promise<number> {
  const [row] = await world.query<{ count: number }>(`select count(*)::int as count from ${from}`);
  return row?.count ?? 0;
}
