import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The page at /docs. Its addresses are relative, so that it works behind a prefix too. */
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

/** Starts the page. A file of its own: the security headers allow no script inside the page. */
export const DOCS_START = `window.addEventListener('load', () => {
  SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, tryItOutEnabled: true });
});
`;

/** The files of Swagger UI that the page needs. */
export const DOCS_ASSETS: ReadonlySet<string> = new Set([
  'favicon-32x32.png',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
]);

/** The directory that they are in: Swagger UI comes with @nestjs/swagger. */
export function docsAssetsDirectory(): string {
  const swagger = createRequire(import.meta.url).resolve('@nestjs/swagger');
  return dirname(createRequire(swagger).resolve('swagger-ui-dist/package.json'));
}
