import { MIB } from '../../kernel/domain/bytes.js';

/** The attempts of a page as JSON: the answers of one row may take 20 kB. A page has one row at least. */
const MOST_PAGE_BYTES = 2 * MIB;
/** How many rows one statement reads. */
const MOST_READ = 50;

/** A row of a log of either outbox. */
interface LoggedRow {
  /** The attempts as JSON. */
  readonly bytes: number;
}

/** A page of a log: `limit` rows, or fewer where their attempts are long. `read` yields at most so many. */
export async function boundedPage<R extends LoggedRow>(
  limit: number,
  read: (after: R | undefined, most: number) => Promise<readonly R[]>,
): Promise<{ readonly rows: readonly R[]; readonly isMore: boolean }> {
  const rows: R[] = [];
  let bytes = 0;
  for (;;) {
    const most = Math.min(MOST_READ, limit + 1 - rows.length);
    const part = await read(rows.at(-1), most);
    for (const row of part) {
      bytes += row.bytes;
      if (rows.length === limit || (rows.length > 0 && bytes > MOST_PAGE_BYTES)) return { rows, isMore: true };
      rows.push(row);
    }
    if (part.length < most) return { rows, isMore: false };
  }
}
