const PLAIN_NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const LONGEST_KEY = 300;

/**
 * A member's path in issues (G-4): `query.clauses[0].status`, or `data["child.name"]`. Long keys are cut, since many
 * paths may follow.
 */
export function memberPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  if (key.length > LONGEST_KEY) return `${parent}[${JSON.stringify(`${key.slice(0, LONGEST_KEY)}…`)}]`;
  if (!PLAIN_NAME.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
}
