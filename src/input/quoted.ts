/** Names as messages list them: `` `asc`, `desc` ``. */
export const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
