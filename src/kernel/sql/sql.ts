/**
 * SQL as a value: text with placeholders. A placeholder is a bound parameter unless it is itself `Sql`; a plain string
 * can never become text. Placeholders are numbered only when a statement is made, so fragments combine freely.
 */
export class Sql {
  private constructor(
    private readonly strings: readonly string[],
    private readonly holes: readonly unknown[],
  ) {}

  /** For text that the program has made; elsewhere the `sql` tag keeps text and values apart. */
  static of(strings: readonly string[], holes: readonly unknown[]): Sql {
    return new Sql(strings, holes);
  }

  static join(parts: readonly Sql[], separator: string): Sql {
    if (parts.length === 0) return new Sql([''], []);
    const between = Array.from({ length: parts.length - 1 }, () => separator);
    return new Sql(['', ...between, ''], parts);
  }

  /** The statement in the driver's form: `{text: '… $1 …', params: […]}`. */
  toQuery(): { readonly text: string; readonly params: readonly unknown[] } {
    const params: unknown[] = [];
    // A list that occurs in many places, such as what lies below a province, is sent once.
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
 * The name of a column, such as `status` or `s.status`, from a table in the program. Throws a RangeError for any text
 * that SQL could read as something else.
 */
export function identifier(name: string): Sql {
  if (!NAME.test(name)) throw new RangeError(`not a plain name: ${name}`);
  return Sql.of([name], []);
}

/** AND of all parts; of an empty list: true. */
export const all = (parts: readonly Sql[]): Sql => combine(parts, ' and ', sql`true`);

/** OR of all parts; of an empty list: false. */
export const any = (parts: readonly Sql[]): Sql => combine(parts, ' or ', sql`false`);

function combine(parts: readonly Sql[], separator: string, none: Sql): Sql {
  const [first, ...rest] = parts;
  if (first === undefined) return none;
  return rest.length === 0 ? first : sql`(${Sql.join(parts, separator)})`;
}
