/** Names as messages and the tables of the documentation list them: `` `asc`, `desc` ``. */
export const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
