const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const COUNT = CHARACTERS.length;

/**
 * The check character of ISO/IEC 7064, MOD 37,36: it reveals every wrong character and nearly all exchanges. Other
 * characters do not count.
 */
export function checkCharacter(text: string): string {
  let product = COUNT;
  for (const character of text) {
    const value = CHARACTERS.indexOf(character);
    if (value === -1) continue;
    product = (((product + value) % COUNT || COUNT) * 2) % (COUNT + 1);
  }
  return CHARACTERS.charAt((COUNT + 1 - product) % COUNT);
}

export type RegistrationNumberPattern = readonly Part[];

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'year'; readonly digits: 2 | 4 }
  | { readonly kind: 'sequence'; readonly digits: number }
  | { readonly kind: 'check' };

export interface NumberInYear {
  readonly year: number;
  /** From 1. */
  readonly sequence: number;
}

export const ALLOWED_PATTERNS =
  'capital letters, digits, "-", "/" and ".", {year} or {year:2}, one {sequence} or {sequence:7} with its least ' +
  'number of digits, and {check} at the end, such as {year}{sequence:7}{check}';

const MOST_CHARACTERS = 64;
const PIECE = /\{([a-z]+)(?::(\d{1,2}))?\}|([0-9A-Z/.-]+)/y;

/**
 * Parses a pattern (E-7); undefined if invalid.
 *
 * - Capital letters, digits and `-`, `/`, `.` are literal.
 * - `{year}` has four digits, `{year:2}` two.
 * - `{sequence:7}`, exactly once, counts within the year, if given, with at least 7 digits.
 * - `{check}`, last, covers everything before it.
 */
export function parseRegistrationNumberPattern(text: string): RegistrationNumberPattern | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const parts: Part[] = [];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < text.length) {
    const [, name, digits, literal] = PIECE.exec(text) ?? [];
    const part: Part | undefined =
      literal === undefined ? placeholder(name ?? '', digits) : { kind: 'text', text: literal };
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const count = (kind: Part['kind']): number => parts.filter((part) => part.kind === kind).length;
  const isSound = count('sequence') === 1 && count('year') <= 1 && count('check') <= 1;
  return isSound && parts.slice(0, -1).every(({ kind }) => kind !== 'check') ? parts : undefined;
}

/** Whether numbering restarts each year. */
export const countsByYear = (pattern: RegistrationNumberPattern): boolean =>
  pattern.some(({ kind }) => kind === 'year');

export function registrationNumber(pattern: RegistrationNumberPattern, { year, sequence }: NumberInYear): string {
  return pattern.reduce((made, part) => {
    switch (part.kind) {
      case 'text':
        return made + part.text;
      case 'year':
        return made + String(year).padStart(part.digits, '0').slice(-part.digits);
      case 'sequence':
        return made + String(sequence).padStart(part.digits, '0');
      case 'check':
        return made + checkCharacter(made);
    }
  }, '');
}

function placeholder(name: string, digits: string | undefined): Part | undefined {
  const count = digits === undefined ? undefined : Number(digits);
  switch (name) {
    case 'year':
      return count === undefined || count === 4 || count === 2 ? { kind: 'year', digits: count ?? 4 } : undefined;
    case 'sequence':
      return count === undefined || (count >= 1 && count <= 15) ? { kind: 'sequence', digits: count ?? 1 } : undefined;
    case 'check':
      return count === undefined ? { kind: 'check' } : undefined;
    default:
      return undefined;
  }
}
