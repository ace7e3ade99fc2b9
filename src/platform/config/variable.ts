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

/** `read` takes the text of the environment. */
const variable = <T>(
  about: string,
  fallback: string | undefined,
  read: Variable<T>['read'],
  secret = false,
): Variable<T> => ({ about, fallback, secret, read });

/** As `plain`, with a further reading of what it accepts. */
const further = <T, R>(plain: Variable<T>, read: (value: T) => Reading<R>): Variable<R> => ({
  ...plain,
  read: (given) => {
    const reading = plain.read(given);
    return 'value' in reading ? read(reading.value) : reading;
  },
});

export const text = (about: string, fallback: string): Variable<string> =>
  variable(about, fallback, (given) => {
    const value = given.trim();
    return value === '' ? { allowed: 'any text that is not blank' } : { value };
  });

export function optional<T>(plain: Variable<T>): Variable<T | undefined> {
  return { ...plain, fallback: undefined };
}

export function whole(about: string, fallback: number, least: number, most: number): Variable<number> {
  const allowed = `a whole number from ${least} to ${most}`;
  return variable(about, String(fallback), (value) => {
    const number = Number(value);
    return /^\d+$/.test(value) && number >= least && number <= most ? { value: number } : { allowed };
  });
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
export const decimal = (about: string, fallback: number, least: number, most: number): Variable<number> =>
  variable(about, String(fallback), (given) => {
    const value = readDecimal(given);
    return value >= least && value <= most ? { value } : { allowed: `a number from ${least} to ${most}` };
  });

/** Comma-separated, each in `[least, most]`. */
export const decimals = (about: string, fallback: string, least: number, most: number): Variable<readonly number[]> =>
  variable(about, fallback, (given) => {
    const value = given.split(',').map((item) => readDecimal(item.trim()));
    return value.every((number) => number >= least && number <= most)
      ? { value }
      : { allowed: `numbers from ${least} to ${most} between commas` };
  });

const readDecimal = (given: string): number => (/^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN);

export const flag = (about: string, fallback: boolean): Variable<boolean> =>
  variable(about, String(fallback), (value) =>
    value === 'true' || value === 'false' ? { value: value === 'true' } : { allowed: 'true or false' },
  );

export const oneOf = <const T extends string>(about: string, fallback: T, values: readonly T[]): Variable<T> =>
  variable(about, fallback, (given) => {
    const value = values.find((candidate) => candidate === given);
    return value === undefined ? { allowed: `one of ${values.join(', ')}` } : { value };
  });

/** Non-empty values, separated by commas. */
export const list = (
  about: string,
  fallback: string,
  allowed: string,
  isItem: (item: string) => boolean,
): Variable<readonly string[]> =>
  variable(about, fallback, (given) => {
    const value = given === '' ? [] : given.split(',').map((item) => item.trim());
    return value.every(isItem) ? { value } : { allowed };
  });

/** Trimmed: env files leave spaces. A refused URL is printed without user, query and fragment. */
const url = (about: string, protocols: readonly string[]): Variable<string> =>
  variable(about, undefined, (given) => {
    const value = given.trim();
    if (isUrl(value, protocols)) return { value };
    const allowed = `a URL that begins with ${beginningsOf(protocols)}`;
    // ` #` begins a comment, which the administrator is to see.
    return /[@?]|\S#/.test(given) ? { faults: [`has a value that cannot be used; allowed: ${allowed}`] } : { allowed };
  });

const beginningsOf = (protocols: readonly string[]): string =>
  protocols.map((protocol) => `${protocol}//`).join(' or ');

const without = (has: (value: string) => boolean, what: string, plain: Variable<string>) =>
  further<string, string | undefined>(plain, (value) =>
    has(value) ? { faults: [`has ${what}; allowed: a URL without them`] } : { value },
  );

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

const hasUser = (value: string): boolean => new URL(value).username + new URL(value).password !== '';

/** `URL` itself ignores line ends and escapes spaces. */
const isUrl = (value: string, protocols: readonly string[]): boolean =>
  !/\s/.test(value) && URL.canParse(value) && protocols.includes(new URL(value).protocol);

/** May contain a password; never printed. */
export const secretUrl = (about: string, protocols: readonly string[]): Variable<Secret | undefined> => ({
  ...further<string, Secret | undefined>(url(about, protocols), (value) => ({ value: new Secret(value) })),
  secret: true,
});

/** Requires a password that clients can unescape. */
export const withEscapes = (plain: Variable<Secret | undefined>): Variable<Secret | undefined> =>
  further(plain, (value) =>
    value === undefined || isUnescapable(value)
      ? { value }
      : { allowed: 'a URL in whose user name and password a % is written as %25' },
  );

function isUnescapable(given: Secret): boolean {
  const { username, password } = new URL(given.reveal());
  try {
    decodeURIComponent(`${username} ${password}`);
    return true;
  } catch {
    return false;
  }
}

/** Comma-separated; never printed, since they may contain passwords. */
export function secretUrls(about: string, protocols: readonly string[]): Variable<readonly Secret[]> {
  const allowed = `URLs between commas that begin with ${beginningsOf(protocols)}`;
  const items = list(about, '', allowed, (item) => isUrl(item, protocols));
  return { ...further(items, (value) => ({ value: value.map((item) => new Secret(item)) })), secret: true };
}

export const secret = (
  about: string,
  allowed: string,
  isSound: (value: string) => boolean,
): Variable<Secret | undefined> =>
  variable<Secret | undefined>(
    about,
    undefined,
    (value) => (isSound(value) ? { value: new Secret(value) } : { allowed }),
    true,
  );
