import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

import { bareAddress, resolveAddress } from '../../src/gateway/http/routes.js';

/** The parts of an OpenAPI document that answers are checked against. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

interface Operation {
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** An answer that a test received, and what it had asked for. */
export interface SeenAnswer {
  readonly method: string;
  /** As it was asked for, in any spelling of G-1. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  /** Names in lower case. Absent: they are not looked at. */
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Headers that tell a client of this operation something; others are of every answer, or of HTTP. */
const TELLING = ['content-disposition', 'deprecation', 'etag', 'link', 'retry-after', 'www-authenticate'];

const ERROR_OBJECT = '#/components/schemas/ErrorObject';

/** Checks answers against the service's own OpenAPI document (G-9): what the document does not describe is an error. */
export class OpenApiCheck {
  private readonly ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));

  private constructor(private readonly document: Document) {
    this.ajv.addSchema(document, 'openapi');
  }

  /**
   * The check of a document, as JSON text. One for all services of a worker that have the same: schemas are compiled.
   */
  static of(text: string): OpenApiCheck {
    const checks = (globalThis.openApiChecks ??= new Map<string, OpenApiCheck>());
    let check = checks.get(text);
    if (check === undefined) checks.set(text, (check = new OpenApiCheck(JSON.parse(text) as Document)));
    return check;
  }

  /**
   * Throws when the document has no such operation, status, media type or telling header, or the body is another than it
   * says.
   */
  check(answer: SeenAnswer): void {
    const template = this.templateOf(answer.path);
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    const operation = template === undefined ? undefined : this.document.paths[template]?.[method];
    // A HEAD that is none is of no operation, whatever its GET is.
    const isNoHead = answer.method === 'HEAD' && answer.status === 405;
    if (template === undefined || operation === undefined || isNoHead) {
      this.checkUnknown(answer);
      return;
    }
    const response = operation.responses[String(answer.status)];
    if (response === undefined) throw complaint(answer, `is not a status of ${method} ${template}`);
    const pointer =
      '$ref' in response ? response.$ref : `#/paths/${escaped(template)}/${method}/responses/${answer.status}`;
    const { content, headers = {} } = '$ref' in response ? this.component(response.$ref) : response;
    const described = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const silent = TELLING.find((name) => answer.headers?.[name] !== undefined && !described.has(name));
    if (silent !== undefined) throw complaint(answer, `has a header ${silent} that is not described`);
    if (answer.method !== 'HEAD') this.checkBody(answer, pointer, content);
  }

  private checkBody(answer: SeenAnswer, pointer: string, content: Response['content']): void {
    if (content === undefined) {
      if (answer.body !== '') throw complaint(answer, `should be empty, and is ${answer.body}`);
      return;
    }
    const [type = ''] = (answer.contentType ?? '').split(';');
    if (!(type in content)) throw complaint(answer, `has media type ${type}, not ${Object.keys(content).join(' or ')}`);
    this.validate(answer, type, `${pointer}/content/${escaped(type)}/schema`);
  }

  /** An address or method that is not described must not be there. */
  private checkUnknown(answer: SeenAnswer): void {
    if (answer.status !== 404 && answer.status !== 405) throw complaint(answer, 'is of no operation of the document');
    if (answer.method !== 'HEAD') this.validate(answer, 'application/json', ERROR_OBJECT);
  }

  private validate(answer: SeenAnswer, type: string, pointer: string): void {
    const value: unknown = type === 'application/json' ? JSON.parse(answer.body) : answer.body;
    const validate = this.ajv.getSchema(`openapi${pointer}`);
    if (validate === undefined) throw complaint(answer, `has no schema at ${pointer}`);
    if (validate(value) !== true) throw complaint(answer, `${this.ajv.errorsText(validate.errors)}: ${answer.body}`);
  }

  private templateOf(path: string): string | undefined {
    const target = resolveAddress(path, 'internal');
    const [address = ''] = bareAddress(target ?? '').split('?');
    const segments = address.split('/');
    const matching = Object.keys(this.document.paths).filter((template) => {
      const wanted = template.split('/');
      return (
        wanted.length === segments.length && wanted.every((part, at) => part.startsWith('{') || part === segments[at])
      );
    });
    // `/events/search` before `/events/{eventId}`.
    return matching.sort((one, other) => one.split('{').length - other.split('{').length)[0];
  }

  private component(reference: string): Response {
    const response = this.document.components.responses[reference.replace('#/components/responses/', '')];
    if (response === undefined) throw new Error(`the OpenAPI document has no ${reference}`);
    return response;
  }
}

/** RFC 6901, inside a URI fragment. */
const escaped = (segment: string): string => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));

const complaint = ({ method, path, status }: SeenAnswer, fault: string): Error =>
  new Error(`${method} ${path} ${status}: ${fault}`);
