import { Pool } from 'undici';

import { cpuTimesOf } from '../deliveries/cpu-time.js';
import type { Service } from '../service/service.js';
import { INDEXES } from './mapping.js';
import type { Layer } from './layer.js';
import { postgresPids } from './postgres-processes.js';
import type { Clause } from './query.js';
import { searchBody } from './query.js';
import type { OpenSearchServer } from './server.js';

/** A search as a client asks it, of whichever contender. */
export interface Asked {
  readonly query: Clause;
}

export interface Answered {
  readonly ms: number;
  readonly body: string;
}

export const NAMES = ['matricula', 'openSearch', 'behindLayer'] as const;
export type Name = (typeof NAMES)[number];

export const byName = <T>(of: (name: Name) => T): Readonly<Record<Name, T>> => ({
  matricula: of('matricula'),
  openSearch: of('openSearch'),
  behindLayer: of('behindLayer'),
});

/** One of those that are compared, asked over HTTP from this process. */
export interface Contender {
  /** A page of a hundred and the exact total; throws when the answer is no page. */
  readonly search: (asked: Asked) => Promise<Answered>;
  readonly totalOf: (body: string) => number;
  /** As `cpuTimesOf`, of its processes: those of PostgreSQL come and go. */
  readonly cpuTimes: () => Promise<ReadonlyMap<number, number>>;
}

export type Contenders = Readonly<Record<Name, Contender>>;

const CONNECTIONS = 32;

export function matricula(service: Service, databaseUrl: string): Contender {
  return {
    search: async (asked) => {
      const { status, body, ms } = await service.search(asked);
      if (status !== 200) throw new Error(`Matricula answered ${status}: ${body.slice(0, 500)}`);
      return { ms, body };
    },
    totalOf: (body) => (JSON.parse(body) as { readonly total: number }).total,
    cpuTimes: async () => cpuTimesOf([service.pid, ...(await postgresPids(databaseUrl))]),
  };
}

export function openSearch(server: OpenSearchServer): Contender {
  const pool = new Pool(server.url, { connections: CONNECTIONS });
  return {
    search: ({ query }) => {
      const path = `/${INDEXES}/_search?request_cache=false`;
      return post(pool, path, { 'content-type': 'application/json' }, searchBody(query));
    },
    totalOf: (body) => (JSON.parse(body) as { hits: { total: { value: number } } }).hits.total.value,
    cpuTimes: () => cpuTimesOf([server.pid]),
  };
}

export function behindLayer(server: OpenSearchServer, layer: Layer): Contender {
  const pool = new Pool(layer.url, { connections: CONNECTIONS });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${layer.token}` };
  return {
    search: (asked) => post(pool, '/search', headers, asked),
    totalOf: (body) => (JSON.parse(body) as { readonly total: number }).total,
    cpuTimes: () => cpuTimesOf([server.pid, layer.pid]),
  };
}

async function post(pool: Pool, path: string, headers: Record<string, string>, body: object): Promise<Answered> {
  const began = performance.now();
  const answer = await pool.request({ path, method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.body.text();
  const ms = performance.now() - began;
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`);
  return { ms, body: text };
}
