import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { FixedAnswer } from './fixed-answer.js';

/** Relative addresses, for a prefix. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Matricula</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** A separate file: the security headers forbid inline scripts. */
export const DOCS_START = `window.addEventListener('load', () => {
  SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, tryItOutEnabled: true });
});
`;

/** Files of Swagger UI with their types. */
export const DOCS_ASSETS: ReadonlyMap<string, string> = new Map([
  ['favicon-32x32.png', 'image/png'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
]);

/** Read once, from @nestjs/swagger. */
export function docsAssets(): ReadonlyMap<string, FixedAnswer> {
  const swagger = createRequire(import.meta.url).resolve('@nestjs/swagger');
  const directory = dirname(createRequire(swagger).resolve('swagger-ui-dist/package.json'));
  return new Map(
    [...DOCS_ASSETS].map(([name, type]) => [name, new FixedAnswer(readFileSync(join(directory, name)), type)]),
  );
}
