import pg from 'pg';
import { SET_DERIVED_VERSION } from '../../platform/database/connection/derived-version.js';
import { FORGET_BITMAPS } from '../index/bitmaps/write-bitmaps.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import type { DerivedTables } from '../records/store/insert-rows.js';
import { Sql, sql } from '../../kernel/sql/sql.js';
import { FORGET_CHANGES } from './noted-changes.js';
import { withShortWaits } from './patient-locks.js';
import type { ReindexSession } from './reindex-session.js';
import { nextName, type TableDefinition, tableDefinition } from './table-definition.js';

type NextIndex = TableDefinition['indexes'][number];

export const NEXT_TABLES: DerivedTables = { search: sql`event_search_next`, documents: sql`event_document_next` };

const LIVE = ['event_search', 'event_document'];

/** For tables left by a killed run. */
export const DROP_SHADOW_TABLES = LIVE.map((table) => `drop table if exists ${nextName(table)}`);

export class ShadowTables {
  private constructor(
    private readonly session: ReindexSession,
    /** The live tables' definitions. */
    readonly definitions: readonly TableDefinition[],
  ) {}

  /** Without indexes and foreign keys. Fails if other objects depend on the live tables. */
  static async create(session: ReindexSession): Promise<ShadowTables> {
    await refuseDependents(session);
    const definitions = await definitionsOf(session);
    await session.transaction(() =>
      session.execute(definitions.flatMap(({ create, settings }) => [create, ...settings])),
    );
    return new ShadowTables(session, definitions);
  }

  /** In a suitable order. */
  get indexes(): readonly (Pick<NextIndex, 'name' | 'next'> & { readonly build: () => Promise<void> })[] {
    return this.definitions.flatMap(({ indexes }) =>
      indexes.map(({ name, next, statement }) => ({
        name,
        next,
        build: () => this.session.execute([statement]),
      })),
    );
  }

  /** Deletions of events then cascade. `onRefused`: see `withShortWaits`. */
  async addForeignKeys(onRefused: (attempts: number) => void): Promise<void> {
    const keys = this.definitions.flatMap(({ foreignKeys }) => foreignKeys);
    await withShortWaits(this.session, () => this.session.execute(keys.map(({ statement }) => statement)), {
      onRefused,
    });
    for (const table of [NEXT_TABLES.search, NEXT_TABLES.documents]) {
      await this.session.query(
        sql`delete from ${table} as derived where not exists (select from event where event.seq = derived.seq)`,
      );
    }
    await this.session.execute(keys.map(({ validation }) => validation));
  }

  /** Requires no transaction. Also sets the visibility map. */
  vacuum(): Promise<void> {
    return this.session.execute(LIVE.map((table) => `vacuum (analyze) ${nextName(table)}`));
  }

  /** Compares the live definitions. */
  async areStillAlike(): Promise<boolean> {
    return JSON.stringify(await definitionsOf(this.session)) === JSON.stringify(this.definitions);
  }

  /** Replaces the live tables, with this program's version. Requires a transaction that holds all locks. */
  async takeOver(): Promise<void> {
    await this.session.execute([
      ...LIVE.map((table) => `drop table ${table}`),
      ...LIVE.map((table) => `alter table ${nextName(table)} rename to ${table}`),
      ...this.indexes.map(({ name, next }) => `alter index ${quoted(next)} rename to ${quoted(name)}`),
      ...this.definitions.flatMap(({ triggers }) => triggers),
      ...FORGET_CHANGES,
    ]);
    await this.session.query(SET_DERIVED_VERSION);
    await this.session.query(FORGET_BITMAPS);
  }
}

/** An external index may have any name. */
const quoted = (name: string): string => pg.escapeIdentifier(name);

/** Dependents would keep the old table. */
async function refuseDependents(session: ReindexSession): Promise<void> {
  const dependents = await session.query<{ name: string }>(sql`
    with live as (select oid from pg_class where oid = any (${LIVE}::text[]::regclass[]))
    select distinct ev_class::regclass::text as name from pg_depend join pg_rewrite on pg_rewrite.oid = objid
     where classid = 'pg_rewrite'::regclass and refclassid = 'pg_class'::regclass and refobjid in (select oid from live)
     union
    select conrelid::regclass::text from pg_constraint where contype = 'f' and confrelid in (select oid from live)
     order by name`);
  if (dependents.length === 0) return;
  const names = dependents.map(({ name }) => name).join(', ');
  throw new ServiceError(
    'CONFLICT',
    `The tables that searches read cannot be replaced, because ${names} refer to them: drop those, and make them again afterwards.`,
  );
}

async function definitionsOf(session: ReindexSession): Promise<readonly TableDefinition[]> {
  const definitions: TableDefinition[] = [];
  for (const table of LIVE) definitions.push(await tableDefinition(session, table));
  return definitions;
}

/** Parent, live tables, and replacements. */
export const SWAPPED_TABLES: Sql = Sql.join(
  [
    sql`event`,
    sql`event_search`,
    sql`event_document`,
    NEXT_TABLES.search,
    NEXT_TABLES.documents,
    sql`bitmap`,
    sql`bitmap_chunk`,
    sql`bitmap_dirty`,
  ],
  ', ',
);
