const PLACE = /<!-- bench:(\w+) -->[^]*?<!-- \/bench -->/g;

/**
 * The text with what `contents` yields between `<!-- bench:name -->` and `<!-- /bench -->`. Throws for another name.
 */
export const fillPlaces = (text: string, contents: (name: string) => string | undefined): string =>
  text.replace(PLACE, (_, name: string) => {
    const content = contents(name);
    if (content === undefined) throw new Error(`there is no table ${name}`);
    return `<!-- bench:${name} -->\n\n${content}\n\n<!-- /bench -->`;
  });
