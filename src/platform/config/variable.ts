import { Secret } from './secret.js';

/** The value, the allowed values instead, or every fault in a longer text. */
export type Reading<T> = { readonly value: T } | { readonly allowed: string } | { readonly faults: readonly string[] };

export interface Variable<T> {
  readonly about: string;
  /** The default as text; undefined: none. */
  readonly fallback: string | undefined;
  /** Never printed, even if wrong. */
  readonly secret: boolean;
  readonly read: (text: string) => Reading<T>;
}

export const text = (about: string, fallback: string): Variable<string> => ({
  about,
  fallback,
  secret: false,
  read: (given) => {
    const value = given.trim();
    return value === '' ? { allowed: 'any text that is not blank' } : { value };
  },
});

export function optional<T>(variable: Variable<T>): Variable<T | undefined> {
  return { ...variable, fallback: undefined };
}

export function whole(about: string, fallback: number, least: number, most: number): Variable<number> {
  const allowed = `a whole number from ${least} to ${most}`;
  return {
    about,
    fallback: String(fallback),
    secret: false,
    read: (value) => {
      const number = Number(value);
      return /^\d+$/.test(value) && number >= least && number <= most ? { value: number } : { allowed };
    },
  };
}

/** 0 for a number that the service chooses (`stands`), or in `[least, most]`. */
export function wholeOrChosen(about: string, stands: string, least: number, most: number): Variable<number> {
  const chosen = whole(about, 0, 0, most);
  const allowed = `0 (${stands}), or a whole number from ${least} to ${most}`;
  return {
    ...chosen,
    read: (value) => {
      const read = chosen.read(value);
      return 'value' in read && (read.value === 0 || read.value >= least) ? read : { allowed };
    },
  };
}

/** In `[least, most]`, with or without a fraction. */
export function decimal(about: string, fallback: number, least: number, most: number): Variable<number> {
  const allowed = `a number from ${least} to ${most}`;
  return {
    about,
    fallback: String(fallback),
    secret: false,
    read: (value) => {
      const number = readDecimal(value);
      return number !== undefined && number >= least && number <= most ? { value: number } : { allowed };
    },
  };
}

/** Comma-separated, each in `[least, most]`. */
export function decimals(about: string, fallback: string, least: number, most: number): Variable<readonly number[]> {
  const allowed = `numbers from ${least} to ${most} between commas`;
  return {
    about,
    fallback,
    secret: false,
    read: (value) => {
      const numbers = value.split(',').map((item) => readDecimal(item.trim()));
      const sound = numbers
        .filter((number) => number !== undefined)
        .filter((number) => number >= least && number <= most);
      return sound.length === numbers.length ? { value: sound } : { allowed };
    },
  };
}

const readDecimal = (text: string): number | undefined => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);

export function flag(about: string, fallback: boolean): Variable<boolean> {
  return {
    about,
    fallback: String(fallback),
    secret: false,
    read: (value) =>
      value === 'true' || value === 'false' ? { value: value === 'true' } : { allowed: 'true or false' },
  };
}

export function oneOf<const T extends string>(about: string, fallback: T, values: readonly T[]): Variable<T> {
  return {
    about,
    fallback,
    secret: false,
    read: (value) => {
      const found = values.find((candidate) => candidate === value);
      return found === undefined ? { allowed: `one of ${values.join(', ')}` } : { value: found };
    },
  };
}

/** Non-empty values, separated by commas. */
export function list(
  about: string,
  fallback: string,
  allowed: string,
  isItem: (item: string) => boolean,
): Variable<readonly string[]> {
  return {
    about,
    fallback,
    secret: false,
    read: (value) => {
      const items = value === '' ? [] : value.split(',').map((item) => item.trim());
      return items.every(isItem) ? { value: items } : { allowed };
    },
  };
}

/**
 * Without a default; trimmed, since an env file may leave white space. A refused URL is printed without user, query and
 * fragment, which may be secrets.
 */
function url(about: string, protocols: readonly string[]): Variable<string | undefined> {
  return {
    about,
    fallback: undefined,
    secret: false,
    read: (given) => {
      const value = given.trim();
      if (isUrl(value, protocols)) return { value };
      const allowed = `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
      // ` #` begins a comment, which the administrator is to see.
      return /[@?]|\S#/.test(given)
        ? { faults: [`has a value that cannot be used; allowed: ${allowed}`] }
        : { allowed };
    },
  };
}

/** Paths are appended; hence no query or fragment, nor a user name, which others would see. */
export const baseUrl = (about: string, protocols: readonly string[]): Variable<string | undefined> =>
  without(
    (value) => /[?#]/.test(value) || hasUser(value),
    'a user, a query (?) or a fragment (#)',
    url(about, protocols),
  );

/** Others are led to the page; hence no user or password. */
export const pageUrl = (about: string, protocols: readonly string[]): Variable<string | undefined> =>
  without(hasUser, 'a user or a password', url(about, protocols));

function without(has: (value: string) => boolean, what: string, plain: Variable<string | undefined>): typeof plain {
  return {
    ...plain,
    read: (given) => {
      const reading = plain.read(given);
      return 'value' in reading && reading.value !== undefined && has(reading.value)
        ? { faults: [`has ${what}; allowed: a URL without them`] }
        : reading;
    },
  };
}

const hasUser = (value: string): boolean => new URL(value).username + new URL(value).password !== '';

/** `URL` itself ignores line ends and escapes spaces. */
const isUrl = (value: string, protocols: readonly string[]): boolean =>
  !/\s/.test(value) && URL.canParse(value) && protocols.includes(new URL(value).protocol);

/** May contain a password; never printed. */
export function secretUrl(about: string, protocols: readonly string[]): Variable<Secret | undefined> {
  const plain = url(about, protocols);
  return {
    ...plain,
    secret: true,
    read: (value) => {
      const reading = plain.read(value);
      return 'value' in reading ? { value: new Secret(value.trim()) } : reading;
    },
  };
}

/** Requires a password that clients can unescape. */
export function withEscapes(variable: Variable<Secret | undefined>): Variable<Secret | undefined> {
  const allowed = 'a URL in whose user name and password a % is written as %25';
  return {
    ...variable,
    read: (value) => {
      const reading = variable.read(value);
      return 'value' in reading && reading.value !== undefined && !isUnescapable(reading.value) ? { allowed } : reading;
    },
  };
}

function isUnescapable(url: Secret): boolean {
  const { username, password } = new URL(url.reveal());
  try {
    for (const part of [username, password]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Comma-separated; never printed, since they may contain passwords. */
export function secretUrls(about: string, protocols: readonly string[]): Variable<readonly Secret[]> {
  const begins = protocols.map((protocol) => `${protocol}//`).join(' or ');
  const items = list(about, '', `URLs between commas that begin with ${begins}`, (item) => isUrl(item, protocols));
  return {
    ...items,
    secret: true,
    read: (value) => {
      const reading = items.read(value);
      return 'value' in reading ? { value: reading.value.map((item) => new Secret(item)) } : reading;
    },
  };
}

export function secret(
  about: string,
  allowed: string,
  isSound: (value: string) => boolean,
): Variable<Secret | undefined> {
  return {
    about,
    fallback: undefined,
    secret: true,
    read: (value) => (isSound(value) ? { value: new Secret(value) } : { allowed }),
  };
}
