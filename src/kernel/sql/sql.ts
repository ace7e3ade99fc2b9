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
