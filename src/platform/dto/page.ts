import { OptionalMember } from './members.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { IsCursor, IsWholeNumber } from './validators.js';

/** Where a page ends: the position of its last row in the order of the list. */
export interface Cursor {
  readonly position: string;
}

/** `next` is the cursor of the next page as text; undefined on the last. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly next: string | undefined;
}

export const writeCursor = ({ position }: Cursor): string => Buffer.from(position).toString('base64url');

/** Reads what `writeCursor` wrote; undefined for text of another form. */
export const cursorReader =
  (form: RegExp) =>
  (text: string): Cursor | undefined => {
    const position = Buffer.from(text, 'base64url').toString();
    return form.test(position) ? { position } : undefined;
  };

export const CREATION = /^\d{1,18}\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The order by creation: microseconds since 1970, and the id. */
export const byCreation = (createdAt: Sql, id: Sql) => ({
  position: sql`(extract(epoch from ${createdAt}) * 1000000)::bigint || '/' || ${id}`,
  /** Whether a row comes before (`<`) or after (`>`) a position. */
  isBeyond: (direction: Sql, position: string): Sql => {
    const [micros, last] = position.split('/');
    return sql`(${createdAt}, ${id}) ${direction}
      ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${last}::uuid)`;
  },
});

/** The query members `limit` and `cursor`; `description` says where cursors come from. */
export function PagedQuery<U extends number | undefined>(
  most: number,
  usual: U,
  form: RegExp,
  description = 'Of the answer before',
) {
  class PagedQueryDto {
    @OptionalMember({ type: 'integer', minimum: 1, maximum: most, default: usual ?? most }, IsWholeNumber(1, most))
    limit: number | U = usual;

    @OptionalMember({ type: String, minLength: 1, description }, IsCursor(cursorReader(form)))
    cursor?: Cursor | undefined;
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
