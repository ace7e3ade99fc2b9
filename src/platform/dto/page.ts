import { OptionalMember } from './members.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { parseUuid } from '../../kernel/domain/uuid.js';
import { IsCursor, IsWholeNumber } from './validators.js';

/** A place in a list by creation: microseconds since 1970, and the id. */
export interface Position {
  readonly createdAtMicros: string;
  readonly id: string;
}

/** `next` is the cursor of the next page; undefined on the last. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly next: string | undefined;
}

export const pageOf = <T extends Position>(rows: readonly T[], isMore: boolean): Page<T> => {
  const last = rows.at(-1);
  return { rows, next: isMore && last !== undefined ? writePosition(last) : undefined };
};

/** The columns of a `Position`. */
export const positionOf = (createdAt: Sql, id: Sql): Sql =>
  sql`${id} as id, (extract(epoch from ${createdAt}) * 1000000)::bigint::text as "createdAtMicros"`;

/** Whether the row `[created_at, id]` comes after a position in this direction; true without one. */
export const isBeyond = (row: Sql, direction: '<' | '>', at: Position | null | undefined): Sql =>
  at === null || at === undefined
    ? sql`true`
    : sql`(${row}) ${direction === '<' ? sql`<` : sql`>`}
          (timestamptz 'epoch' + ${at.createdAtMicros}::bigint * interval '1 microsecond', ${at.id}::uuid)`;

/** The cursor after a position: opaque text. */
const writePosition = ({ createdAtMicros, id }: Position): string =>
  Buffer.from(`${createdAtMicros}/${id}`).toString('base64url');

/** Undefined for text that `writePosition` did not produce. */
export function readPosition(cursor: string): Position | undefined {
  const [, createdAtMicros, text] = /^(\d{1,18})\/(.*)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const id = parseUuid(text);
  return createdAtMicros === undefined || id === undefined ? undefined : { createdAtMicros, id };
}

/** The query members `limit` and `cursor`; `description` says where cursors come from. */
export function PagedQuery<U extends number | undefined>(most: number, usual: U, description = 'Of the answer before') {
  class PagedQueryDto {
    @OptionalMember({ type: 'integer', minimum: 1, maximum: most, default: usual ?? most }, IsWholeNumber(1, most))
    limit: number | U = usual;

    @OptionalMember({ type: String, minLength: 1, description }, IsCursor(readPosition))
    cursor?: Position | undefined;
  }
  return PagedQueryDto;
}

/** The query members `skip` and `count`, as upstream has them. */
export function CountedQuery(most: number, usual: number) {
  class CountedQueryDto {
    @OptionalMember({ type: 'integer', minimum: 0, default: 0 }, IsWholeNumber(0, Number.MAX_SAFE_INTEGER))
    skip = 0;

    @OptionalMember({ type: 'integer', minimum: 1, maximum: most, default: usual }, IsWholeNumber(1, most))
    count: number = usual;
  }
  return CountedQueryDto;
}
