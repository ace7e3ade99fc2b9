import { KIB } from '../domain/bytes.js';

/**
 * Hides a value from the planner, so that the generic plan looks cheap and is cached per connection. For statements
 * with one good plan.
 */
export const unseen = (value: Sql): Sql => sql`(select ${value})`;

/**
 * A single value is compared with `=`. For any list PostgreSQL assumes ten values and prefers a custom plan, whose
 * planning takes longer than a look-up.
 */
export const isOneOf = (column: Sql, values: readonly string[], type: Sql): Sql =>
  values.length === 1 ? sql`${column} = ${values[0]}::${type}` : sql`${column} = any(${values}::${type}[])`;

/**
 * Changes of different tables in one statement; undefined if none. None sees another; foreign keys are checked at the
 * end. Listed last to first, the server's order of execution and locks. None may begin with `with`.
 */
export function oneStatement(changes: readonly Sql[]): Sql | undefined {
  const [only, ...others] = changes;
  if (only === undefined || others.length === 0) return only;
  const steps = changes.map((change, at) => sql`${identifier(`step_${at}`)} as (${change})`);
  return sql`with ${Sql.join(steps.toReversed(), ', ')} select`;
}

/** The first rows by `order` with at most `mostBytes` of `bytes` together; at least one (Q-1). */
export const rowsWithin = (rows: Sql, order: Sql, mostBytes: number): Sql => sql`
  select * from (
    select candidate.*, row_number() over in_order as rank, sum(bytes) over in_order as upto
      from (${rows}) candidate window in_order as (order by ${order})) ranked
   where rank = 1 or upto <= ${mostBytes}`;

/** `text`, in every PostgreSQL catalogue. */
const TEXT_OID = 25;
const HEADER = 20;
const EMPTY_HEADER = 12;
const LENGTH = 4;
const NULL_LENGTH = -1;
/** A UTF-16 unit takes at most three bytes. */
const MOST_BYTES_OF_UNIT = 3;
/** A shorter text is copied as fast as it is encoded. */
const LONG = 1_000;

/**
 * Lists and long texts become bytes, which need no escaping or parsing. A list becomes `text[]` and must be cast where
 * it stands: `$1::uuid[]` becomes `$1::text[]::uuid[]`.
 */
export function sentInBinary(statement: Sql): Sql {
  const { text, params } = statement.toQuery();
  const strings = text.split(/\$\d+/);
  const holes = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => params[Number(number) - 1]);
  const casts = strings.map((string, at) => (Array.isArray(holes[at - 1]) ? `::text[]${string}` : string));
  const encoded = new Map(params.map((param) => [param, inBytes(param)]));
  return Sql.of(
    casts,
    holes.map((hole) => encoded.get(hole)),
  );
}

function inBytes(param: unknown): unknown {
  if (Array.isArray(param)) return binaryTexts(param.map(textOf));
  return typeof param === 'string' && param.length > LONG ? new Uint8Array(new TextEncoder().encode(param)) : param;
}

function textOf(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null || value === undefined) return null;
      throw new TypeError('not a value of a list of texts');
  }
}

let scratch: Buffer = Buffer.allocUnsafeSlow(64 * KIB);

/** The binary notation of an array, in memory of its own. */
function binaryTexts(texts: readonly (string | null)[]): Uint8Array<ArrayBuffer> {
  let end = HEADER;
  let hasNull = false;
  for (const text of texts) {
    const most = end + LENGTH + (text === null ? 0 : text.length * MOST_BYTES_OF_UNIT);
    if (most > scratch.length) scratch = grown(most);
    const length = text === null ? NULL_LENGTH : scratch.write(text, end + LENGTH);
    hasNull ||= text === null;
    scratch.writeInt32BE(length, end);
    end += LENGTH + Math.max(0, length);
  }
  const [dimensions, lowerBound] = [texts.length === 0 ? 0 : 1, 1];
  for (const [at, word] of [dimensions, Number(hasNull), TEXT_OID, texts.length, lowerBound].entries()) {
    scratch.writeInt32BE(word, at * LENGTH);
  }
  const bytes = new Uint8Array(texts.length === 0 ? EMPTY_HEADER : end);
  bytes.set(scratch.subarray(0, bytes.length));
  return bytes;
}

function grown(least: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(2 * least);
  scratch.copy(larger);
  return larger;
}

/**
 * SQL as a value. A placeholder is a parameter unless it is `Sql`; a string never becomes text. Numbering is deferred,
 * so fragments combine freely.
 */
export class Sql {
  private constructor(
    private readonly strings: readonly string[],
    private readonly holes: readonly unknown[],
  ) {}

  /** For text made by the program; elsewhere the `sql` tag separates text and values. */
  static of(strings: readonly string[], holes: readonly unknown[]): Sql {
    return new Sql(strings, holes);
  }

  static join(parts: readonly Sql[], separator: string): Sql {
    if (parts.length === 0) return new Sql([''], []);
    const between = Array.from({ length: parts.length - 1 }, () => separator);
    return new Sql(['', ...between, ''], parts);
  }

  /** The driver's form: `{text: '… $1 …', params: […]}`. */
  toQuery(): { readonly text: string; readonly params: readonly unknown[] } {
    const params: unknown[] = [];
    // A list used in many places, such as the places of a province, is sent once.
    const numbers = new Map<unknown, number>();
    const bind = (value: unknown): number => {
      const known = typeof value === 'object' && value !== null ? numbers.get(value) : undefined;
      if (known !== undefined) return known;
      const number = params.push(value);
      numbers.set(value, number);
      return number;
    };
    const render = (piece: Sql): string =>
      piece.strings.reduce((text, string, at) => {
        const hole = piece.holes[at - 1];
        if (hole instanceof Sql) return text + render(hole) + string;
        return `${text}$${bind(hole)}${string}`;
      });
    return { text: render(this), params };
  }
}

/** A fragment: `` sql`status = any (${statuses}::text[])` ``. */
export function sql(strings: TemplateStringsArray, ...holes: readonly unknown[]): Sql {
  return Sql.of(strings, holes);
}

const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$/;

/**
 * A column name, such as `status` or `s.status`. Throws a RangeError for text that SQL could read as something else.
 */
export function identifier(name: string): Sql {
  if (!NAME.test(name)) throw new RangeError(`not a plain name: ${name}`);
  return Sql.of([name], []);
}

/** An empty list: true. */
export const all = (parts: readonly Sql[]): Sql => combine(parts, ' and ', sql`true`);

/** An empty list: false. */
export const any = (parts: readonly Sql[]): Sql => combine(parts, ' or ', sql`false`);

function combine(parts: readonly Sql[], separator: string, none: Sql): Sql {
  const [first, ...rest] = parts;
  if (first === undefined) return none;
  return rest.length === 0 ? first : sql`(${Sql.join(parts, separator)})`;
}
