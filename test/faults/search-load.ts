import { setTimeout as sleep } from 'node:timers/promises';

import { request } from 'undici';

import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { storeAll } from './bulk.js';
import type { World } from './world.js';

/** Clients that search, each one search after the other. */
const CLIENTS = 6;
const RECORDS = 500;
/** Searches answered in a row after which a client is taken to be served again. */
const IN_A_ROW = 3;
const SERVED_MS = 60_000;
/** After a refusal, as a patient client does. */
const PAUSE_MS = 20;

const NAMES = ['Temwanani', 'Chilufya', 'Mwansa', 'Bwalya', 'Kunda', 'Mutale', 'Nkandu', 'Lombe'];

const data = (condition: object): object => ({ query: { clauses: [{ data: { 'child.name': condition } }] } });

/** A name with a fault in it, the same name as it is, and all records, the latest first. */
const bodyOf = (turn: number): object => {
  const name = NAMES[turn % NAMES.length] ?? '';
  if (turn % 3 === 0) return data({ type: 'fuzzy', term: `${name}x` });
  if (turn % 3 === 1) return data({ type: 'exact', term: name });
  return { query: { clauses: [{ eventType: 'birth' }] }, limit: 20 };
};

interface Answer {
  readonly beganMs: number;
  readonly endedMs: number;
  readonly status: number | undefined;
}

/** Clients that search without a break, and what they are answered. */
export class SearchLoad {
  /** Statuses and how often each came; a request without an answer under `none`. */
  readonly statuses = new Map<number | 'none', number>();
  private readonly latest: Answer[][] = Array.from({ length: CLIENTS }, () => []);
  private isOver = false;
  private clients: Promise<unknown> = Promise.resolve();

  private constructor(private readonly world: World) {}

  /** Begins once there are records to be found. */
  static async begin(world: World): Promise<SearchLoad> {
    const named = (at: number): object => ({ firstname: NAMES[at % NAMES.length], surname: 'Musonda' });
    await storeAll(
      world,
      Array.from({ length: RECORDS }, (_, at) => aRecord({ declaration: { 'child.name': { ...named(at) } } })),
    );
    const load = new SearchLoad(world);
    load.clients = Promise.all(load.latest.map((answers, client) => load.search(answers, client)));
    await load.served(performance.now());
    return load;
  }

  /**
   * Waits until each client is answered with 200 again, and goes on to be; yields how long after `sinceMs` the last of
   * them was, in milliseconds.
   */
  async served(sinceMs: number): Promise<number> {
    const firstOf = (answers: readonly Answer[]): Answer | undefined => {
      const later = answers.filter(({ endedMs }) => endedMs >= sinceMs);
      const bad = later.findLastIndex(({ status }) => status !== 200);
      return later.length - bad > IN_A_ROW ? later[bad + 1] : undefined;
    };
    await eventually('searches are answered', () => this.latest.every((one) => firstOf(one) !== undefined), SERVED_MS);
    return Math.max(...this.latest.map((one) => (firstOf(one)?.endedMs ?? Infinity) - sinceMs));
  }

  /** The slowest answer of those that began since then, in milliseconds. */
  slowest(sinceMs: number): number {
    const since = this.latest.flat().filter(({ endedMs }) => endedMs >= sinceMs);
    return Math.max(...since.map(({ beganMs, endedMs }) => endedMs - beganMs));
  }

  /** Throws when an answer was neither 200 nor 503, or there was none. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.clients;
    const others = [...this.statuses].filter(([status]) => status !== 200 && status !== 503);
    if (others.length > 0) throw new Error(`searches were answered ${JSON.stringify(others)}`);
  }

  private async search(answers: Answer[], client: number): Promise<void> {
    for (let turn = client; !this.isOver && !this.world.isOver; turn += 1) {
      const beganMs = performance.now();
      const status = await this.ask(bodyOf(turn));
      answers.push({ beganMs, endedMs: performance.now(), status });
      this.statuses.set(status ?? 'none', (this.statuses.get(status ?? 'none') ?? 0) + 1);
      if (status !== 200) await sleep(PAUSE_MS);
    }
  }

  private async ask(body: object): Promise<number | undefined> {
    const { publicUrl } = this.world.service.urls ?? {};
    if (publicUrl === undefined) return undefined;
    try {
      const answer = await request(`${publicUrl}/events/search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await this.world.token}` },
        body: JSON.stringify(body),
      });
      await answer.body.dump();
      return answer.statusCode;
    } catch {
      return undefined;
    }
  }
}
